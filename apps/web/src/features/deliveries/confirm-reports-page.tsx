import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { api, client } from '../../platform/client.ts';
import { AuthHeading } from '../sign-in/auth-parts.tsx';

/** From a mail, without signing in. A mail scanner opens links too, so it takes a press. */
export function ConfirmReportsPage() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const { data, error } = useQuery({
    ...api.deliveries.consent.queryOptions({ input: { token } }),
    ...{ enabled: token !== '', retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
  });
  const answer = useMutation({
    mutationFn: async (isWanted: boolean) => {
      await client.deliveries.answerConsent({ token, is_wanted: isWanted });
      return isWanted;
    },
  });
  if (!token || error)
    return (
      <div role="alert">
        <AuthHeading title="This link does not work">
          {error ? messageOf(error) : 'The link is incomplete. Open it from the mail again.'}
        </AuthHeading>
      </div>
    );
  if (!data) return <Skeleton height={176} aria-label="Loading" />;
  const { sender } = data;
  if (answer.isSuccess)
    return answer.data ? (
      <AuthHeading title="Reports confirmed">
        The next report of {sender} comes to you. Every report has a link that stops it.
      </AuthHeading>
    ) : (
      <AuthHeading title="Reports refused">{sender} cannot send you reports, and you are not asked again.</AuthHeading>
    );
  return (
    <>
      <AuthHeading title={`Get reports of ${sender}?`}>
        {sender} would like to send reports to your address. You get none unless you confirm.
      </AuthHeading>
      {answer.error && (
        <Text c="var(--danger-ink)" role="alert" mb="sm">
          {messageOf(answer.error)}
        </Text>
      )}
      <Stack gap="sm">
        <Button
          fullWidth
          loading={answer.isPending && answer.variables}
          disabled={answer.isPending}
          onClick={() => answer.mutate(true)}
        >
          Confirm reports
        </Button>
        <Button
          fullWidth
          variant="default"
          loading={answer.isPending && !answer.variables}
          disabled={answer.isPending}
          onClick={() => answer.mutate(false)}
        >
          Refuse reports
        </Button>
      </Stack>
    </>
  );
}
