import { errorText } from '@atoll/contract/errors';
import type { Session } from '@atoll/contract/session/entity';
import { ApiError, isAbort } from './api-error.ts';

/** The result of a start (spec section 4): a session, an expired session, or a failure. */
export type SessionStart =
  | { state: 'ready'; session: Session }
  | { state: 'expired' }
  | { state: 'failed'; message: string; requestId: string | null };

export type MeQuery = Record<string, string | boolean | undefined>;

interface SessionCalls {
  fetchMe(query: MeQuery): Promise<Session>;
  guestId(): string;
  renewGuestId(): string;
}

/** All data about the caller that the shell needs, requested in one call. */
const wanted = {
  with_features: true,
  with_roles: true,
  with_preferences: true,
  with_github: true,
  with_trial: true,
  with_documentation_enabled: true,
} satisfies MeQuery;

/**
 * Opens the session; a refused guest id is replaced and tried exactly once more. A signed-in person is not retried: a
 * refusal means that the session ended elsewhere, and they would silently become a guest.
 */
export async function startSession(
  calls: SessionCalls,
  extra: MeQuery = {},
  isSignedIn = false,
): Promise<SessionStart> {
  const ask = async (guest_id: string, query = extra): Promise<SessionStart> => ({
    state: 'ready',
    session: await calls.fetchMe({ ...wanted, ...query, guest_id }),
  });
  try {
    return await ask(calls.guestId());
  } catch (error) {
    if (!isRefusedGuest(error)) return failure(error);
    if (isSignedIn) return { state: 'expired' };
  }
  try {
    // The refused launch data is not sent again, because an expired launch must not lock a person out.
    return await ask(calls.renewGuestId(), { ...extra, telegram_init_data: undefined });
  } catch (error) {
    return failure(error);
  }
}

const isSessionTimeout = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.message === errorText.sessionTimeout;

const isRefusedGuest = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && !isSessionTimeout(error);

function failure(error: unknown): SessionStart {
  if (isSessionTimeout(error)) return { state: 'expired' };
  if (isAbort(error)) throw error;
  const said = error instanceof ApiError && error.isReadable;
  return {
    state: 'failed',
    message: said ? error.message : errorText.authenticationFailed,
    requestId: error instanceof ApiError ? error.requestId : null,
  };
}
