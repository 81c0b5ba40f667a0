import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { toastError } from '../../ui/toast.ts';
import { projectQuery } from '../projects/queries.ts';
import { useSession } from '../session/queries.ts';
import { myRequestQuery } from './queries.ts';

/** My request for access to a project; once it is answered, the page shows what I may do now. */
export function useAccessRequest(projectId: string) {
  const session = useSession();
  const router = useRouter();
  const queryClient = useQueryClient();
  const query = myRequestQuery(projectId);
  const { data, error, isPending } = useQuery({ ...query, enabled: !session.is_guest });
  const answered = {
    onSuccess: (made: NonNullable<typeof data>) => queryClient.setQueryData(query.queryKey, made),
    onError: (failure: unknown) => toastError(failure),
  };
  const ask = useMutation({
    mutationFn: (reason: string) => client.sharing.requestAccess({ id: projectId, reason }),
    ...answered,
  });
  const cancel = useMutation({
    mutationFn: (requestId: string) => client.sharing.cancelAccessRequest({ id: projectId, requestId }),
    ...answered,
  });
  useTopic(
    'person',
    { userId: session.id },
    {
      on: {
        access_changed({ project_id }) {
          if (project_id !== projectId) return;
          void queryClient.invalidateQueries({ queryKey: query.queryKey });
          void queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
          void router.invalidate();
        },
      },
    },
  );
  return { request: data ?? null, error, isKnown: !isPending, ask, cancel };
}
