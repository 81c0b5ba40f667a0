import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';
import { chosenKernelQuery, myServersQuery } from './queries.ts';

export function useChooseKernel() {
  const queryClient = useQueryClient();
  const { queryKey } = chosenKernelQuery;
  return useMutation({
    mutationFn: (kernel: string) => client.kernels.choose({ kernel }),
    onMutate: (kernel) => {
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, { kernel });
      return before;
    },
    onError: (error, _kernel, before) => {
      queryClient.setQueryData(queryKey, before);
      toastError(error, 'Could not select the kernel');
    },
  });
}

export function useStopServer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.kernels.stopServer({ id }),
    onError: (error) => toastError(error, 'Could not stop it'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: myServersQuery.queryKey }),
  });
}
