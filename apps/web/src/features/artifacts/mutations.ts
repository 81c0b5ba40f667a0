import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';
import { artifactsKey } from './queries.ts';

export function useDeleteArtifact(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (artifactId: string) => client.artifacts.delete({ id: projectId, artifactId }),
    onError: (error) => toastError(error, 'Could not delete the artifact'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: artifactsKey(projectId) }),
  });
}
