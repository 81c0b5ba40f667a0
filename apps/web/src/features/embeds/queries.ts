import type { FileEmbed } from '@atoll/contract/embeds/entity';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { notFound, useRouter } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { api, client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';

interface Address {
  id: string;
  fileId: string;
}

type EmbedChange = Partial<Pick<FileEmbed, 'allowed_sites' | 'execution_enabled' | 'execution_copy_project_files'>>;

export const embedQuery = (address: Address) => api.embeds.get.queryOptions({ input: address });

export function useChangeEmbed(address: Address) {
  const queryClient = useQueryClient();
  return useMutation({
    /** Null turns it off. */
    mutationFn: async (change: EmbedChange | null) => {
      if (change) await client.embeds.update({ ...address, ...change });
      else await client.embeds.delete(address);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: embedQuery(address).queryKey }),
    onError: (error) => toastError(error, 'Could not change the embed'),
  });
}

export const embedByIdQuery = (id: string) => api.embeds.byId.queryOptions({ input: { id } });

export async function loadEmbed(queryClient: QueryClient, id: string): Promise<{ title: string }> {
  const { file } = await queryClient.fetchQuery(embedByIdQuery(id)).catch((error: unknown) => {
    throw error instanceof ApiError && (error.status === 404 || error.status === 422) ? notFound() : error;
  });
  return { title: `Run ${file.name}` };
}

/** A copy of their own, opened as a notebook. */
export function useRunEmbed(id: string) {
  const router = useRouter();
  return useMutation({
    mutationFn: () => client.embeds.openCopy({ id }),
    onSuccess: ({ project_id, file_id }) =>
      router.navigate({ to: '/projects/$projectId', params: { projectId: project_id }, search: { file: file_id } }),
    onError: (error) => toastError(error, 'Could not open a copy to run'),
  });
}
