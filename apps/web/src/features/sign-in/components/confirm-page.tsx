import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { sessionQuery } from '../../session/queries.ts';
import { AuthHeading } from '../auth-parts.tsx';
import { DeadLink } from './dead-link.tsx';
import { useOneTimeToken } from './one-time-token.ts';

export function ConfirmPage() {
  const token = useOneTimeToken();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: (value: string) => client.signIn.redeemEmailConfirmation({ token: value }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  if (confirm.data) {
    return (
      <div role="status">
        <AuthHeading title="E-mail address confirmed">{confirm.data.email} is confirmed.</AuthHeading>
        <LinkButton to="/" fullWidth>
          Continue
        </LinkButton>
      </div>
    );
  }
  if (!token || confirm.error) return <DeadLink error={confirm.error} to="/profile" label="Go to profile" />;
  return (
    <>
      <AuthHeading title="Confirm your e-mail address">Confirm that this address is yours.</AuthHeading>
      <Button fullWidth autoFocus loading={confirm.isPending} onClick={() => confirm.mutate(token)}>
        Confirm
      </Button>
    </>
  );
}
