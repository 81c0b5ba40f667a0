import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { sessionQuery } from '../../session/queries.ts';
import { AuthHeading } from './auth-parts.tsx';
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
        <AuthHeading title="Your address is confirmed">{confirm.data.email} is yours. Thank you.</AuthHeading>
        <LinkButton to="/" fullWidth>
          Go on
        </LinkButton>
      </div>
    );
  }
  if (!token || confirm.error) return <DeadLink error={confirm.error} to="/profile" label="Go to your profile" />;
  return (
    <>
      <AuthHeading title="Confirm your address">One press tells us that this mail reached you.</AuthHeading>
      <Button fullWidth autoFocus loading={confirm.isPending} onClick={() => confirm.mutate(token)}>
        Confirm
      </Button>
    </>
  );
}
