import type { Session } from '@atoll/contract/session/entity';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from '../../platform/api-error.ts';
import { openSession } from '../../platform/boot/boot.ts';
import { setExpired } from '../../platform/expiry.ts';

/** Who is here. Filled at start-up, so no page ever waits for it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 5 * 60_000,
  queryFn: async ({ client, signal }): Promise<Session> => {
    const isSignedIn = client.getQueryData<Session>(['session'])?.is_guest === false;
    const start = await openSession({}, isSignedIn);
    if (start.state === 'ready') return start.session;
    if (start.state === 'expired' && !signal.aborted) setExpired(true);
    const message = start.state === 'expired' ? 'Session timeout' : start.message;
    throw new ApiError({ message, status: 401, code: 'unauthorized', fields: {}, details: {} });
  },
});

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;
