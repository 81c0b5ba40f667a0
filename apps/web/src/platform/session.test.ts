import type { Session } from '@atoll/contract/session/entity';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { type MeQuery, startSession } from './session.ts';

const someone = { id: 'u1' } as Session;
const refusal = (status: number, message: string) =>
  new ApiError({ status, message, code: '', fields: {}, details: {} });

function server(...answers: (Session | Error)[]) {
  const asked: MeQuery[] = [];
  let made = 0;
  return {
    asked,
    guestId: () => 'guest-kept-0000000',
    renewGuestId: () => `guest-new-${++made}`,
    fetchMe: async (query: MeQuery) => {
      asked.push(query);
      const answer = answers.shift();
      if (!answer) throw new Error('Asked more often than expected');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

describe('startSession', () => {
  it('requests everything the shell shows, with the additions of the caller', async () => {
    const calls = server(someone);
    expect(await startSession(calls, { referral_code: 'abc' })).toEqual({ state: 'ready', session: someone });
    expect(calls.asked).toEqual([
      {
        with_features: true,
        with_roles: true,
        with_preferences: true,
        with_github: true,
        with_trial: true,
        with_documentation_enabled: true,
        guest_id: 'guest-kept-0000000',
        referral_code: 'abc',
      },
    ]);
  });

  it('tries once more with a fresh guest id when refused', async () => {
    const calls = server(refusal(401, 'Unauthorized'), someone);
    expect(await startSession(calls)).toMatchObject({ state: 'ready' });
    expect(calls.asked.map((query) => query.guest_id)).toEqual(['guest-kept-0000000', 'guest-new-1']);
  });

  it('gives up after that one retry, with the server’s message', async () => {
    const calls = server(refusal(401, 'Unauthorized'), refusal(401, 'guests are not welcome'));
    expect(await startSession(calls)).toMatchObject({ state: 'failed', message: 'Guests are not welcome' });
    expect(calls.asked).toHaveLength(2);
  });

  it('recognises an expired session, without a retry', async () => {
    const calls = server(refusal(401, 'Session timeout'));
    expect(await startSession(calls)).toEqual({ state: 'expired' });
    expect(calls.asked).toHaveLength(1);
  });

  it('does not retry other refusals', async () => {
    const calls = server(refusal(403, 'This account is suspended'));
    expect(await startSession(calls)).toMatchObject({ state: 'failed', message: 'This account is suspended' });
    expect(calls.asked).toHaveLength(1);
  });

  it('calls a generic failure "Authentication failed"', async () => {
    expect(await startSession(server(new TypeError('Failed to fetch')))).toMatchObject({
      state: 'failed',
      message: 'Authentication failed',
    });
  });
});
