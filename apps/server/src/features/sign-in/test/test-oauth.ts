import type { ErrorBody, OauthProvider, Session } from '@atoll/contract';
import { expect } from 'vitest';
import type { TestApp } from '../../../test/test-app.ts';

type Provider = OauthProvider;

export interface Begun {
  state: string;
  authorization_url: string;
  expires_at: string;
}

export interface Finished extends Omit<ErrorBody, 'status'> {
  session: Session & { token: string };
  return_to: string | null;
}

export async function begin(
  { call }: TestApp,
  token: string,
  provider: Provider,
  more: { reason?: string; return_to?: string } = {},
): Promise<Begun> {
  const answer = await call<Begun>('POST', '/v1/me/oauthstate', {
    token,
    body: { reason: 'sign_in', provider, ...more },
  });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

export const finish = ({ call }: TestApp, token: string | null, provider: Provider, answer: object) =>
  call<Finished>('POST', `/v1/oauth/${provider}/callback`, { token, body: answer });

/** A refused sign-in leaves the caller who they were: the same guest, with the same token. */
export async function expectStillGuest({ call }: TestApp, guest: Session & { token: string }): Promise<void> {
  const me = await call<Session>('GET', '/v1/me', { token: guest.token });
  expect(me).toMatchObject({ status: 200, body: { id: guest.id, is_guest: true } });
}
