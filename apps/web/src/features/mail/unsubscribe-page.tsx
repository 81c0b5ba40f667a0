import { Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { api, client } from '../../platform/client.ts';
import { LinkButton } from '../../ui/links.tsx';
import { UnsubscribeReport } from '../deliveries/unsubscribe-report.tsx';
import { AuthHeading } from '../sign-in/auth-parts.tsx';

/** From a mail, without signing in. A mail scanner opens links too, so it takes a press. */
export function UnsubscribePage() {
  const [asked] = useState(() => new URLSearchParams(location.hash.slice(1)));
  const report = asked.get('report');
  return report ? <UnsubscribeReport token={report} /> : <UnsubscribeMail token={asked.get('token') ?? ''} />;
}

function UnsubscribeMail({ token }: { token: string }) {
  const options = api.mail.choice.queryOptions({ input: { token } });
  const choice = useQuery({ ...options, enabled: token !== '', retry: false });
  const cache = useQueryClient();
  const choose = useMutation({
    mutationFn: async (isRefused: boolean) => {
      await (isRefused ? client.mail.unsubscribe({ token }) : client.mail.resubscribe({ token }));
      return isRefused;
    },
    onSuccess: (isRefused) =>
      cache.setQueryData(options.queryKey, (before) => before && { ...before, is_refused: isRefused }),
  });
  if (!token || choice.error)
    return (
      <div role="alert">
        <AuthHeading title="This link does not work">
          {choice.error ? messageOf(choice.error) : 'The link is incomplete. Open it from the mail again.'}
        </AuthHeading>
        <LinkButton to="/profile" search={{ section: 'preferences' }} variant="default" fullWidth>
          Open preferences
        </LinkButton>
      </div>
    );
  if (!choice.data) return <Skeleton height={148} aria-label="Loading" />;
  const { address, is_refused } = choice.data;
  return (
    <>
      <AuthHeading title={is_refused ? 'Unsubscribe' : `Unsubscribe ${address}?`}>
        {is_refused
          ? `${address} no longer receives invitations and notifications by mail. You still see them when you sign in.`
          : 'This address will no longer receive invitations and notifications. Sign-in mails are still sent.'}
      </AuthHeading>
      {choose.error && (
        <Text c="var(--danger-ink)" role="alert" mb="sm">
          {messageOf(choose.error)}
        </Text>
      )}
      <Button
        fullWidth
        variant={is_refused ? 'default' : 'filled'}
        loading={choose.isPending}
        onClick={() => choose.mutate(!is_refused)}
      >
        {is_refused ? 'Subscribe again' : 'Unsubscribe'}
      </Button>
    </>
  );
}
