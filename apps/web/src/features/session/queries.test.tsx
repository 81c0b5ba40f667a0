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

// Whatever asks first who is here, before the connection has found out that the session ended.
test('does not make a guest of a person whose session was ended elsewhere', async () => {
  answerWith(refusal, guest);
  const { queryClient, ask } = pageOf(ada);
  await expect(ask()).rejects.toThrow('Session timeout');
  expect(isExpired()).toBe(true);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(ada);
});

test.each([
  ['another person, who signed in in another window', ada, [sessionOf('grace', false)]],
  ['the guest that another window has become', ada, [guest]],
  ['a guest whose id was refused', guest, [refusal, sessionOf('other', true)]],
])('follows %s', async (_who, before, answers) => {
  answerWith(...answers);
  expect(await pageOf(before).ask()).toEqual(answers.at(-1));
  expect(isExpired()).toBe(false);
});

test('says nothing of a session that was left on purpose while it was asked for', async () => {
  answerWith(refusal);
  const asked = { client: pageOf(ada).queryClient, signal: AbortSignal.abort() };
  await expect(sessionQuery.queryFn?.(asked as never)).rejects.toThrow('Session timeout');
  expect(isExpired()).toBe(false);
});
