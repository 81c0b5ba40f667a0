import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../platform/api-error.ts';
import { client } from '../../platform/client.ts';
import { AuthHeading } from '../sign-in/auth-parts.tsx';

/** From a report's mail, without signing in. A mail scanner opens links too, so it takes a press. */
export function UnsubscribeReport({ token }: { token: string }) {
  const stop = useMutation({ mutationFn: () => client.deliveries.unsubscribeByLink({ token }) });
  if (stop.isSuccess)
    return (
      <AuthHeading title="Unsubscribed">This report no longer comes to you. Other mail is not affected.</AuthHeading>
    );
  return (
    <>
      <AuthHeading title="Stop getting this report?">Other reports and notifications are not affected.</AuthHeading>
      {stop.error && (
        <Text c="var(--danger-ink)" role="alert" mb="sm">
          {messageOf(stop.error)}
        </Text>
      )}
      <Button fullWidth loading={stop.isPending} onClick={() => stop.mutate()}>
        Stop this report
      </Button>
    </>
  );
}
