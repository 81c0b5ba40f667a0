import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';

/** From a mail, without signing in. A mail scanner opens links too, so it takes a press. */
export function UnsubscribePage() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const stop = useMutation({ mutationFn: () => client.notifications.unsubscribe({ token }) });
  return (
    <Stack gap={16}>
      <Title order={1}>{stop.isSuccess ? 'No more mail about notifications' : 'No more mail like this?'}</Title>
      <Text c="dimmed">
        {stop.isSuccess
          ? 'You still find everything in the workspace. In your preferences you can have mail again.'
          : 'You still find everything in the workspace. Mail about signing in is sent in any case.'}
      </Text>
      {stop.error && (
        <Text c="var(--danger-ink)" role="alert">
          {messageOf(stop.error)}
        </Text>
      )}
      {stop.isSuccess ? (
        <LinkButton to="/profile" search={{ section: 'preferences' }} variant="default">
          Open the preferences
        </LinkButton>
      ) : (
        <Button loading={stop.isPending} onClick={() => stop.mutate()}>
          Stop these mails
        </Button>
      )}
    </Stack>
  );
}
