import { Button, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useTopic } from '../../../platform/realtime/use-topic.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { NotFound } from '../../../ui/page-problems.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { toastError } from '../../../ui/toast.ts';
import { KeptWithoutAccess } from '../../notebook/components/kept-without-access.tsx';
import { useSession } from '../../session/queries.ts';
import { myRequestQuery } from '../queries.ts';

/** A link to what one may not see, and what one has written there while one could. */
export const NoProject = ({ projectId }: { projectId: string }) => (
  <>
    <Why projectId={projectId} />
    <KeptWithoutAccess projectId={projectId} />
  </>
);

/** Ask for it. What is not there at all looks like any other wrong address. */
function Why({ projectId }: { projectId: string }) {
  const session = useSession();
  const router = useRouter();
  const queryClient = useQueryClient();
  const query = myRequestQuery(projectId);
  const { data: request, error, isPending } = useQuery({ ...query, enabled: !session.is_guest });
  const [reason, setReason] = useState('');
  const ask = useMutation({
    mutationFn: () => client.sharing.requestAccess({ id: projectId, reason }),
    onSuccess: (made) => queryClient.setQueryData(query.queryKey, made),
    onError: (failure) => toastError(failure),
  });
  const cancel = useMutation({
    mutationFn: (requestId: string) => client.sharing.cancelAccessRequest({ id: projectId, requestId }),
    onSuccess: (made) => queryClient.setQueryData(query.queryKey, made),
    onError: (failure) => toastError(failure),
  });
  // As soon as somebody lets us in, the project is there.
  useTopic(
    'notifications',
    { userId: session.id },
    {
      on: {
        access_changed({ project_id }) {
          if (project_id !== projectId) return;
          void queryClient.invalidateQueries({ queryKey: query.queryKey });
          void router.invalidate();
        },
      },
    },
  );
  if (session.is_guest)
    return (
      <Problem
        title="You do not have access"
        actions={
          <LinkButton to="/sign-in" search={{ return_to: `/projects/${projectId}` }}>
            Sign in
          </LinkButton>
        }
      >
        This project is private or does not exist. Sign in if it was shared with you.
      </Problem>
    );
  if (error) return <NotFound />;
  if (isPending) return null;
  if (request?.status === 'pending')
    return (
      <Problem
        title="Access requested"
        actions={
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(request.id)}>
            Cancel request
          </Button>
        }
      >
        The owner was notified. This page opens when the request is approved.
      </Problem>
    );
  return (
    <Problem
      title="You need access"
      actions={
        <Stack gap={12} w={320} maw="100%">
          <Textarea
            aria-label="Reason"
            placeholder="Reason (optional)"
            autosize
            minRows={3}
            maxRows={8}
            maxLength={1_000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button loading={ask.isPending} onClick={() => ask.mutate()}>
            Request access
          </Button>
        </Stack>
      }
    >
      {request?.status === 'rejected'
        ? 'Your last request was declined. You can request access again.'
        : `This project is private. The owner will be notified that ${session.user_name} requests access.`}
    </Problem>
  );
}
