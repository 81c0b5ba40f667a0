// @vitest-environment happy-dom
import type { Session } from '@atoll/contract/session/entity';
import { afterEach, expect, test, vi } from 'vitest';
import { isExpired, setExpired } from '../../platform/expiry.ts';
import { createQueryClient } from '../../platform/query-client.ts';
import { sessionQuery } from './queries.ts';

const sessionOf = (id: string, is_guest: boolean) => ({ id, is_guest }) as Session;
const ada = sessionOf('ada', false);
const guest = sessionOf('guest', true);
const refusal = { message: 'Authentication failed', status: 401, code: 'unauthorized', fields: {}, details: {} };

/** Answers `/v1/me` with these in turn. */
function answerWith(...bodies: (Session | typeof refusal)[]): void {
  vi.stubGlobal('fetch', async () => {
    const body = bodies.shift();
    return Response.json(body, { status: body && 'status' in body ? 401 : 200 });
  });
}

function pageOf(session: Session) {
  const queryClient = createQueryClient();
  queryClient.setQueryData(sessionQuery.queryKey, session);
  return { queryClient, ask: () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }) };
}

afterEach(() => setExpired(false));

test.each([
  // Whatever asks first who is here, before the connection has found out that the session ended.
  ['refuses the session, and the guest id with it', [refusal, guest]],
  ['finds no session, since another window has signed out', [guest]],
])('does not make a guest of a person where the server %s', async (_what, bodies) => {
  answerWith(...bodies);
  const { queryClient, ask } = pageOf(ada);
  await expect(ask()).rejects.toThrow('Session timeout');
  expect(isExpired()).toBe(true);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(ada);
});

test('follows another person who signed in in another window, and a guest whose id was refused', async () => {
  const grace = sessionOf('grace', false);
  answerWith(grace);
  expect(await pageOf(ada).ask()).toEqual(grace);
  const other = sessionOf('other', true);
  answerWith(refusal, other);
  expect(await pageOf(guest).ask()).toEqual(other);
  expect(isExpired()).toBe(false);
});

test('says nothing of a session that was left on purpose while it was asked for', async () => {
  answerWith(guest);
  const asked = { client: pageOf(ada).queryClient, signal: AbortSignal.abort() };
  await expect(sessionQuery.queryFn?.(asked as never)).rejects.toThrow('Session timeout');
  expect(isExpired()).toBe(false);
});
