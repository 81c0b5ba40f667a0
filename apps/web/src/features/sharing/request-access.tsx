import type { Project } from '@atoll/contract/projects/entity';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { LinkButton } from '../../ui/links.tsx';
import { useSession } from '../session/queries.ts';
import { useAccessRequest } from './access-request.ts';

/** For people who can see a project and want to take part in it. */
export function RequestAccess({ project }: { project: Pick<Project, 'id' | 'owner'> }) {
  const session = useSession();
  const { request, isKnown, ask, cancel } = useAccessRequest(project.id);
  const [reason, setReason] = useState<string | null>(null);
  if (session.is_guest)
    return (
      <LinkButton to="/sign-in" search={{ return_to: `/projects/${project.id}` }} variant="default">
        Sign in to request access
      </LinkButton>
    );
  if (!isKnown) return null;
  if (request?.status === 'pending')
    return (
      <Stack gap={8} align="flex-start" role="status">
        <Text size="sm">
          Access requested. {project.owner.user_name} was notified, and you will be notified of the answer.
        </Text>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(request.id)}>
          Cancel request
        </Button>
      </Stack>
    );
  if (reason === null)
    return (
      <Button variant="default" onClick={() => setReason('')}>
        Request access
      </Button>
    );
  return (
    <Stack gap={8} align="flex-start" w={360} maw="100%">
      <RequestForm reason={reason} onReason={setReason} isPending={ask.isPending} onSend={() => ask.mutate(reason)} />
    </Stack>
  );
}

interface RequestFormProps {
  reason: string;
  onReason(reason: string): void;
  isPending: boolean;
  onSend(): void;
}

export function RequestForm({ reason, onReason, isPending, onSend }: RequestFormProps) {
  return (
    <>
      <Textarea
        w="100%"
        aria-label="Why you need access"
        placeholder="Why you need access (optional)"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={1_000}
        value={reason}
        onChange={(event) => onReason(event.currentTarget.value)}
      />
      <Button loading={isPending} onClick={onSend}>
        Request access
      </Button>
    </>
  );
}
