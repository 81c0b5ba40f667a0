import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from '../../../platform/client.ts';
import { toast, toastError } from '../../../ui/toast.ts';
import { refreshLists, toastProjectError } from '../mutations.ts';
import { offersQuery, projectQuery } from '../queries.ts';

interface Offered {
  id: string;
  name: string;
}

/** The project's own page, the lists and the offers know of it at once. */
function useRefresh() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (id: string) => {
    void refreshLists(queryClient);
    void queryClient.invalidateQueries({ queryKey: offersQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: projectQuery(id).queryKey });
    await router.invalidate();
  };
}

export function useOfferProject() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: Parameters<typeof client.projects.transfer>[0]) => client.projects.transfer(input),
    onSuccess: async ({ id, offer }) => {
      await refresh(id);
      if (offer) toast(`Offer sent. @${offer.to.user_name} has 14 days to accept it.`);
    },
  });
}

export function useAcceptOffer({ id, name }: Offered) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.projects.acceptOffer({ id }),
    onSuccess: async () => {
      await refresh(id);
      toast(`You own “${name}” now.`);
    },
    onError: (error) => toastProjectError(error, 'Could not accept the project'),
  });
}

export function useDeclineOffer({ id, name }: Offered) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.projects.declineOffer({ id }),
    onSuccess: async () => {
      await refresh(id);
      toast(`You declined “${name}”.`);
    },
    onError: (error) => toastError(error, 'Could not decline the project'),
  });
}

export function useWithdrawOffer({ id }: { id: string }) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.projects.withdrawOffer({ id }),
    onSuccess: async () => {
      await refresh(id);
      toast('Offer withdrawn.');
    },
    onError: (error) => toastError(error, 'Could not withdraw the offer'),
  });
}

export function useAcceptCode({ id }: { id: string }) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.projects.acceptCode({ id }),
    onSuccess: async () => {
      await refresh(id);
      toast('Code accepted. Kernels that start from now on have your secrets.');
    },
    onError: (error) => toastError(error, 'Could not accept the code'),
  });
}
