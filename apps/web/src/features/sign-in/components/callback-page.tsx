import type { OauthProvider } from '@atoll/contract/sign-in/endpoints';
import { Loader, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { useArrive } from '../../session/mutations.ts';
import { localPath } from '../../session/return-to.ts';
import { AuthHeading } from '../auth-parts.tsx';
import type { CallbackSearch } from '../model.ts';

/** Where a provider sends people back to. The code in the address works once, so it is sent once. */
export function CallbackPage({ provider, state, ...answer }: { provider: OauthProvider } & CallbackSearch) {
  const arrive = useArrive();
  const sent = useRef(false);
  const finish = useMutation({
    mutationFn: (value: string) => client.signIn.oauthCallback({ provider, state: value, ...answer }),
    onSuccess: ({ session, return_to }) => arrive(session, localPath(return_to) ?? null),
  });
  useEffect(() => {
    if (!state || sent.current) return;
    sent.current = true;
    finish.mutate(state);
  }, [state, finish.mutate]);

  if (!state || finish.error) {
    return (
      <div role="alert">
        <AuthHeading title="Sign-in failed">
          {finish.error ? messageOf(finish.error) : 'The provider sent an incomplete answer.'} Nothing was changed.
        </AuthHeading>
        <LinkButton to="/sign-in" fullWidth>
          Back to sign-in
        </LinkButton>
      </div>
    );
  }
  return (
    <div role="status">
      <AuthHeading title="Signing you in" />
      <Stack align="center">
        <Loader size="sm" aria-hidden />
      </Stack>
    </div>
  );
}
