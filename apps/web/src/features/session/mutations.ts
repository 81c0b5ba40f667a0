import type { Session } from '@atoll/contract/session/entity';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { openSession } from '../../platform/boot.ts';
import { client } from '../../platform/client.ts';
import { dropToken, keepToken } from '../../platform/credentials.ts';
import { setExpired } from '../../platform/expiry.ts';
import { isMode } from '../../platform/mode.ts';
import { pauseRealtime } from '../../platform/realtime/realtime.ts';
import { forgetPerson, readLocal } from '../../platform/storage.ts';
import { useMode } from '../../ui/theme-context.tsx';
import { toastError } from '../../ui/toast.ts';
import { sessionQuery } from './queries.ts';

const isKept = (key: unknown) => key === 'session' || (Array.isArray(key) && key[0] === 'theme');

/** What the last person saw is not for the next one; the theme is everybody's. */
async function changePerson(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isKept(queryKey[0]) });
  // One that was asked before the change would answer for the person before.
  await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey });
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** After any way of signing in: the answer names the person, a full session follows. */
export function useArrive() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { setMode } = useMode();
  return async (session: Session, returnTo?: string | null): Promise<void> => {
    keepToken(session.token);
    setExpired(false);
    await changePerson(queryClient);
    const look = queryClient.getQueryData(sessionQuery.queryKey)?.preferences?.theme_mode;
    if (isMode(look) && readLocal('code_theme') === null) setMode(look);
    if (returnTo !== undefined) await router.navigate({ href: returnTo ?? '/', replace: true });
    await router.invalidate();
  };
}

export function useSignOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      const goOn = pauseRealtime();
      await client.session.logOut({}).catch((error: unknown) => {
        goOn();
        throw error;
      });
    },
    onSuccess: async () => {
      const me = queryClient.getQueryData(sessionQuery.queryKey)?.id;
      dropToken();
      await changePerson(queryClient);
      // What was under way has found the session ended, as it was meant to be.
      setExpired(false);
      await router.navigate({ to: '/' });
      // After the pages that may still have kept something.
      if (me) forgetPerson(me);
    },
    onError: (error) => toastError(error, 'Could not sign out'),
  });
}

export function useContinueAsGuest() {
  const queryClient = useQueryClient();
  return async (): Promise<void> => {
    dropToken();
    const start = await openSession({ session_continue: true });
    if (start.state !== 'ready') throw new Error(start.state === 'failed' ? start.message : 'Session timeout');
    queryClient.setQueryData(sessionQuery.queryKey, start.session);
    setExpired(false);
  };
}
