import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';

interface Address {
  id: string;
  fileId: string;
}

export const embedQuery = (address: Address) => api.embeds.get.queryOptions({ input: address });

export function useChangeEmbed(address: Address) {
  const queryClient = useQueryClient();
  return useMutation({
    /** Null turns it off. */
    mutationFn: async (change: { allowed_sites?: string[] } | null) => {
      if (change) await client.embeds.update({ ...address, ...change });
      else await client.embeds.delete(address);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: embedQuery(address).queryKey }),
    onError: (error) => toastError(error, 'Could not change the embed'),
  });
}
