import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useArrive } from '../../session/mutations.ts';
import { localPath } from '../../session/return-to.ts';
import { AuthHeading } from '../auth-parts.tsx';
import { DeadLink } from './dead-link.tsx';
import { useOneTimeToken } from './one-time-token.ts';

/** A press of the button redeems the link: mail scanners open links, but they press nothing. */
export function LinkPage() {
  const token = useOneTimeToken();
  const { name } = useTheme();
  const arrive = useArrive();
  const redeem = useMutation({
    mutationFn: (value: string) => client.signIn.redeemLink({ token: value }),
    onSuccess: ({ session, return_to }) => arrive(session, localPath(return_to) ?? null),
  });
  if (!token || redeem.error) return <DeadLink error={redeem.error} to="/sign-in" label="Request a new link" />;
  return (
    <>
      <AuthHeading title={`Sign in to ${name}`}>Press Sign in to continue.</AuthHeading>
      <Button fullWidth autoFocus loading={redeem.isPending || redeem.isSuccess} onClick={() => redeem.mutate(token)}>
        Sign in
      </Button>
    </>
  );
}
