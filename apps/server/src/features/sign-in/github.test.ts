import type { Session } from '@atoll/contract';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { visit } from './test/test-browser.ts';
import { startGithub } from './test/test-github.ts';
import { begin, expectStillGuest, finish } from './test/test-oauth.ts';

const home = 'http://localhost:4000/auth/github';
const user = { id: 583231, login: 'octo-cat', name: 'Mona Lisa Octocat', avatar_url: 'https://github.example.org/u/1' };
const emails = [
  { email: 'old@example.org', primary: false, verified: true, visibility: null },
  { email: 'mona@example.org', primary: true, verified: true, visibility: 'public' },
];

async function arrive(app: TestApp, token: string, more: object = {}) {
  const { authorization_url } = await begin(app, token, 'github', more);
  const answer = Object.fromEntries(await visit(authorization_url, home));
  return { sent: new URL(authorization_url).searchParams, finished: await finish(app, token, 'github', answer) };
}

test('signs in with GitHub by its primary address', async () => {
  const github = await startGithub({ user, emails });
  const app = await createTestApp({ env: github.env });
  const guest = await app.guest();
  const { finished, sent } = await arrive(app, guest.token, { return_to: '/dashboard' });
  expect(Object.fromEntries(sent)).toMatchObject({ redirect_uri: home, code_challenge_method: 'S256' });
  expect(finished).toMatchObject({
    status: 200,
    body: {
      return_to: '/dashboard',
      session: {
        id: guest.id,
        is_guest: false,
        user_name: 'octocat',
        first_name: 'Mona',
        last_name: 'Lisa Octocat',
        email: 'mona@example.org',
        is_email_confirmed: true,
      },
    },
  });
  const { token } = finished.body.session;
  const me = await app.call<Session>('GET', '/v1/me', { token, query: { with_github: 'true' } });
  expect(me.body.github).toEqual({ user_name: 'octo-cat', avatar: user.avatar_url, is_connected: true });
  const settings = await app.call('GET', '/v1/settings', { token });
  expect(settings.body).toMatchObject({ connections: [{ provider: 'github', name: 'octo-cat' }] });
});

test('an address GitHub has not verified stays unconfirmed here', async () => {
  const github = await startGithub({
    user: { ...user, name: null },
    emails: [{ email: 'mona@example.org', primary: true, verified: false, visibility: null }],
  });
  const app = await createTestApp({ env: github.env });
  const guest = await app.guest();
  const { finished } = await arrive(app, guest.token);
  expect(finished.body.session).toMatchObject({ email: 'mona@example.org', is_email_confirmed: false });
  const mails = await app.deliveredMails();
  expect(mails).toMatchObject([
    { to: 'mona@example.org', subject: expect.stringContaining('Confirm your e-mail address') },
  ]);
});

test('a code of another request is refused by its code challenge', async () => {
  const github = await startGithub({ user, emails });
  const app = await createTestApp({ env: github.env });
  const guest = await app.guest();
  const victim = await begin(app, guest.token, 'github');
  const attacker = await begin(app, guest.token, 'github');
  const stolen = await visit(attacker.authorization_url, home);
  const injected = await finish(app, guest.token, 'github', { state: victim.state, code: stolen.get('code') });
  expect(injected).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
  await expectStillGuest(app, guest);
});

test('a GitHub that answers nonsense is a bad gateway', async () => {
  const github = await startGithub({ user: { ...user, id: 'x' as unknown as number }, emails });
  const app = await createTestApp({ env: github.env });
  const guest = await app.guest();
  const { finished } = await arrive(app, guest.token);
  expect(finished).toMatchObject({ status: 502, body: { code: 'bad_gateway' } });
  await expectStillGuest(app, guest);
});
