import type { Session } from '@atoll/contract/session/entity';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { openSession } from '../../platform/boot/boot.ts';
import { isMode } from '../../platform/boot/mode.ts';
import { client } from '../../platform/client.ts';
import { dropToken, keepToken } from '../../platform/credentials.ts';
import { setExpired } from '../../platform/expiry.ts';
import { pauseRealtime } from '../../platform/realtime/realtime.ts';
import type { MeQuery } from '../../platform/session.ts';
import { forgetPerson, readLocal } from '../../platform/storage.ts';
import { useMode } from '../../ui/theme/theme-context.tsx';
import { toastError } from '../../ui/toast.ts';
import { sessionQuery } from './queries.ts';

const isKept = (key: unknown) => key === 'session' || (Array.isArray(key) && key[0] === 'theme');

/** What the last person saw is not for the next one; the theme is everybody's. */
const forgetAnswers = (queryClient: QueryClient): void =>
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isKept(queryKey[0]) });

/** What was asked before a change of person would answer for the one before. */
const cancelSession = (queryClient: QueryClient): Promise<void> =>
  queryClient.cancelQueries({ queryKey: sessionQuery.queryKey });

async function becomeGuest(queryClient: QueryClient, query: MeQuery = {}): Promise<void> {
  dropToken();
  await cancelSession(queryClient);
  const start = await openSession(query);
  if (start.state !== 'ready') throw new Error(start.state === 'failed' ? start.message : 'Session timeout');
  queryClient.setQueryData(sessionQuery.queryKey, start.session);
  // What was under way has found the session ended, as it was meant to be.
  setExpired(false);
}

/** After any way of signing in: the answer names the person, a full session follows. */
export function useArrive() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { setMode } = useMode();
  return async (session: Session, returnTo?: string | null): Promise<void> => {
    keepToken(session.token);
    setExpired(false);
    forgetAnswers(queryClient);
    await cancelSession(queryClient);
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
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
      forgetAnswers(queryClient);
      await becomeGuest(queryClient);
      await router.navigate({ to: '/' });
      // After the pages that may still have kept something.
      if (me) forgetPerson(me);
    },
    onError: (error) => toastError(error, 'Could not sign out'),
  });
}

export function useContinueAsGuest() {
  const queryClient = useQueryClient();
  return () => becomeGuest(queryClient, { session_continue: true });
}
