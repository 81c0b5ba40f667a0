import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { LinkButton } from '../../../ui/links.tsx';
import { NotFound } from '../../../ui/page-problems.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { KeptWithoutAccess } from '../../notebook/kept-without-access.tsx';
import { useSession } from '../../session/queries.ts';
import { useAccessRequest } from '../access-request.ts';
import { RequestForm } from '../request-access.tsx';

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
  const { request, error, isKnown, ask, cancel } = useAccessRequest(projectId);
  const [reason, setReason] = useState('');
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
  if (!isKnown) return null;
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
          <RequestForm
            reason={reason}
            onReason={setReason}
            isPending={ask.isPending}
            onSend={() => ask.mutate(reason)}
          />
        </Stack>
      }
    >
      {request?.status === 'rejected'
        ? 'Your last request was declined. You can request access again.'
        : `This project is private. The owner will be notified that ${session.user_name} requests access.`}
    </Problem>
  );
}
