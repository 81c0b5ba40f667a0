import type { Session } from '@atoll/contract/session/entity';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from '../../platform/api-error.ts';
import { openSession } from '../../platform/boot.ts';
import { setExpired } from '../../platform/expiry.ts';

/** Who is here. Filled at start-up, so no page ever waits for it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 5 * 60_000,
  queryFn: async ({ client, signal }): Promise<Session> => {
    const before = client.getQueryData<Session>(['session']);
    const start = await openSession();
    const isReady = start.state === 'ready';
    // Asked without the session that ended elsewhere, the server welcomes a guest. The person has not become one:
    // `useSignOut` and `useContinueAsGuest` say so when they have.
    const isOver = isReady ? before?.is_guest === false && start.session.is_guest : start.state === 'expired';
    if (isReady && !isOver) return start.session;
    if (isOver && !signal.aborted) setExpired(true);
    const message = start.state === 'failed' ? start.message : 'Session timeout';
    throw new ApiError({ message, status: 401, code: 'unauthorized', fields: {}, details: {} });
  },
});

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;
