import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../platform/api-error.ts';
import { client } from '../../platform/client.ts';
import { AuthHeading } from '../sign-in/auth-parts.tsx';

/** From a report's mail, without signing in. A mail scanner opens links too, so it takes a press. */
export function UnsubscribeReport({ token }: { token: string }) {
  const stop = useMutation({
    mutationFn: async (isWholeAccount: boolean) => {
      await client.deliveries.unsubscribeByLink({ token, is_whole_account: isWholeAccount });
      return isWholeAccount;
    },
  });
  if (stop.isSuccess)
    return (
      <AuthHeading title="Unsubscribed">
        {stop.data
          ? 'The account that sent this report cannot send you any. Other mail is not affected.'
          : 'This report no longer comes to you. Other mail is not affected.'}
      </AuthHeading>
    );
  return (
    <>
      <AuthHeading title="Stop getting this report?">
        Stop this one, or all reports that the same account sends you.
      </AuthHeading>
      {stop.error && (
        <Text c="var(--danger-ink)" role="alert" mb="sm">
          {messageOf(stop.error)}
        </Text>
      )}
      <Stack gap="sm">
        <Button fullWidth loading={stop.isPending} onClick={() => stop.mutate(false)}>
          Stop this report
        </Button>
        <Button fullWidth variant="default" disabled={stop.isPending} onClick={() => stop.mutate(true)}>
          Stop all reports of this account
        </Button>
      </Stack>
    </>
  );
}
