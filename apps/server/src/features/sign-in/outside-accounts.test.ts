import type { Session } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp, tokenIn } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { identities } from './table.ts';
import { begin, expectStillGuest, finish } from './test/test-oauth.ts';
import { startOidcProvider, type TestAccount } from './test/test-oidc-provider.ts';

type Name = 'google' | 'microsoft' | 'oidc';

async function setUp(names: Name[], env: Record<string, string> = {}) {
  const provider = await startOidcProvider();
  const app = await createTestApp({ env: { ...Object.assign({}, ...names.map(provider.env)), ...env } });
  async function arrive(token: string, name: Name, account: TestAccount, reason = 'sign_in') {
    const { authorization_url } = await begin(app, token, name, { reason });
    return finish(app, token, name, await provider.answer(authorization_url, account));
  }
  return { provider, app, arrive };
}

async function confirmedPerson(app: TestApp, name: string) {
  const person = await app.person(name);
  const token = tokenIn((await app.deliveredMails()).at(-1));
  await app.call('POST', '/v1/email_confirmation/redeem', { token: person.token, body: { token } });
  return person;
}

const connectionsOf = async ({ call }: TestApp, token: string) => {
  const settings = await call<{ connections: { provider: string }[] }>('GET', '/v1/settings', { token });
  return settings.body.connections.map(({ provider }) => provider);
};

test('an address both sides made sure of opens the account and connects it, and its owner is told', async () => {
  const { app, arrive } = await setUp(['google']);
  const ada = await confirmedPerson(app, 'ada');
  const guest = await app.guest();
  const account = { sub: 'g-1', email: 'ADA@example.org', email_verified: true };
  const finished = await arrive(guest.token, 'google', account);
  expect(finished).toMatchObject({ status: 200, body: { session: { id: ada.id, has_password: true } } });
  expect(await connectionsOf(app, finished.body.session.token)).toEqual(['google']);
  const newest = (await app.deliveredMails()).at(-1);
  expect(newest).toMatchObject({ to: 'ada@example.org', subject: expect.stringContaining('sign-in details changed') });
  expect(newest?.text).toContain('connection');
});

const withoutProof: [string, Name, boolean, boolean][] = [
  ['the issuer did not verify the address', 'google', false, true],
  ['the address was never confirmed here', 'google', true, false],
  ['it is Microsoft, whose claim proves nothing', 'microsoft', true, true],
];
test.each(withoutProof)('the same address opens nothing when %s', async (_why, name, isVerified, isConfirmed) => {
  const { app, arrive } = await setUp([name]);
  const ada = isConfirmed ? await confirmedPerson(app, 'ada') : await app.person('ada');
  const guest = await app.guest();
  const account = { sub: 'x-1', email: 'ada@example.org', email_verified: isVerified };
  const refused = await arrive(guest.token, name, account);
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('connect this account') } });
  expect(refused.headers['set-cookie']).toBeUndefined();
  await expectStillGuest(app, guest);
  expect(await app.database.db.select().from(identities)).toEqual([]);
  // Signed in, the same person may connect it.
  const connected = await arrive(ada.token, name, account, 'connect');
  expect(connected).toMatchObject({ status: 200, body: { session: { id: ada.id } } });
  expect(await connectionsOf(app, connected.body.session.token)).toEqual([name]);
  expect(await arrive((await app.guest()).token, name, account)).toMatchObject({ body: { session: { id: ada.id } } });
});

test('an account of somebody else cannot be connected', async () => {
  const { app, arrive } = await setUp(['oidc']);
  const account = { sub: 'grace-1', email: 'grace@example.org', email_verified: true };
  const grace = await arrive((await app.guest()).token, 'oidc', account);
  const ada = await app.person('ada');
  const refused = await arrive(ada.token, 'oidc', account, 'connect');
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('another user') } });
  expect(await connectionsOf(app, ada.token)).toEqual([]);
  const me = await app.call<Session>('GET', '/v1/me', { token: grace.body.session.token });
  expect(me.body.user_name).toBe('grace');
});

test('connecting is for people who signed in lately, not for guests', async () => {
  const { app } = await setUp(['oidc']);
  const body = { reason: 'connect', provider: 'oidc' };
  const guest = await app.guest();
  expect(await app.call('POST', '/v1/me/oauthstate', { token: guest.token, body })).toMatchObject({
    status: 403,
    body: { details: { reason: 'no_permissions' } },
  });
  const ada = await app.person('ada');
  app.clock.advance(3 * 60 * 60_000);
  expect(await app.call('POST', '/v1/me/oauthstate', { token: ada.token, body })).toMatchObject({
    status: 403,
    body: { details: { reason: 'reauthentication_required' } },
  });
});

test('one subject at two issuers is two people', async () => {
  const other = await startOidcProvider();
  const { app, arrive } = await setUp(['google'], other.env('oidc'));
  const one = await arrive((await app.guest()).token, 'google', { sub: '1', email: 'a@example.org' });
  const guest = await app.guest();
  const { authorization_url } = await begin(app, guest.token, 'oidc');
  const answer = await other.answer(authorization_url, { sub: '1', email: 'b@example.org' });
  const two = await finish(app, guest.token, 'oidc', answer);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(two.body.session.id).not.toBe(one.body.session.id);
});

test('two answers for a new person at once make one account', async () => {
  const { provider, app } = await setUp(['oidc']);
  const account = { sub: 'ada-1', email: 'ada@example.org', email_verified: true };
  const guests = await Promise.all([1, 2, 3, 4].map(() => app.guest()));
  const ready: { token: string; answer: object }[] = [];
  for (const { token } of guests) {
    const { authorization_url } = await begin(app, token, 'oidc');
    ready.push({ token, answer: await provider.answer(authorization_url, account) });
  }
  const finished = await Promise.all(ready.map(({ token, answer }) => finish(app, token, 'oidc', answer)));
  expect(finished.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(finished.map(({ body }) => body.session.id)).size).toBe(1);
  expect(await app.database.db.select().from(identities)).toHaveLength(1);
});

test('two new people who would like the same name at once both get one', async () => {
  const { provider, app } = await setUp(['oidc']);
  const ready: { token: string; answer: object }[] = [];
  for (const sub of ['1', '2', '3']) {
    const { token } = await app.guest();
    const { authorization_url } = await begin(app, token, 'oidc');
    const account = { sub, email: `${sub}@example.org`, preferred_username: 'ada' };
    ready.push({ token, answer: await provider.answer(authorization_url, account) });
  }
  const finished = await Promise.all(ready.map(({ token, answer }) => finish(app, token, 'oidc', answer)));
  expect(finished.map(({ status }) => status)).toEqual([200, 200, 200]);
  const names = finished.map(({ body }) => body.session.user_name);
  expect(new Set(names).size).toBe(3);
  expect(names).toContain('ada');
});

test('a guest keeps what they had when they come in from outside, and cannot take over another guest', async () => {
  const { app, arrive } = await setUp(['oidc']);
  const guest = await app.guest();
  const other = await app.guest();
  const theme_mode = 'dark';
  await app.call('PATCH', '/v1/preferences', { token: guest.token, body: { theme_mode } });
  const finished = await arrive(guest.token, 'oidc', { sub: '1', email: 'a@example.org', email_verified: true });
  const { token } = finished.body.session;
  expect(finished.body.session.id).toBe(guest.id);
  expect(await app.call('GET', '/v1/preferences', { token })).toMatchObject({ status: 200, body: { theme_mode } });
  expect((await app.call('GET', '/v1/preferences', { token: guest.token })).status).toBe(401);
  await expectStillGuest(app, other);
});

test('a suspended account stays shut from outside', async () => {
  const { app, arrive } = await setUp(['oidc']);
  const account = { sub: '1', email: 'a@example.org', email_verified: true };
  const { id } = (await arrive((await app.guest()).token, 'oidc', account)).body.session;
  const change = { suspendedAt: new Date(app.clock.time), suspensionMessage: 'Gone fishing' };
  await app.database.db.update(users).set(change).where(eq(users.id, id));
  const guest = await app.guest();
  const refused = await arrive(guest.token, 'oidc', account);
  expect(refused).toMatchObject({ status: 403, body: { message: 'Gone fishing' } });
  await expectStillGuest(app, guest);
});

test('where sign-up is closed, newcomers are refused and known people come in', async () => {
  const { app, arrive } = await setUp(['oidc'], { ATOLL_SIGN_UP: 'off' });
  const guest = await app.guest();
  const account = { sub: '1', email: 'new@example.org', email_verified: true };
  const refused = await arrive(guest.token, 'oidc', account);
  expect(refused).toMatchObject({ status: 403, body: { details: { reason: 'disabled_in_configuration' } } });
  await expectStillGuest(app, guest);
  const admin = await app.admin();
  expect(await arrive(admin.token, 'oidc', account, 'connect')).toMatchObject({ status: 200 });
  expect(await arrive(guest.token, 'oidc', account)).toMatchObject({ body: { session: { id: admin.id } } });
});

test("others' texts are made harmless before they are stored", async () => {
  const { app, arrive } = await setUp(['oidc']);
  const account = {
    sub: '1',
    email: 'ada@example.org,grace@example.org',
    email_verified: true,
    name: `A\u202Eda\0 ${'x'.repeat(100)}`,
    preferred_username: '<img onerror>',
  };
  const finished = await arrive((await app.guest()).token, 'oidc', account);
  expect(finished.body.session).toMatchObject({
    email: null,
    is_email_confirmed: false,
    first_name: 'Ada',
    last_name: 'x'.repeat(60),
    user_name: 'imgonerror',
  });
});

test('a connection is given up, but never the only way in', async () => {
  const { app, arrive } = await setUp(['google']);
  const ada = await confirmedPerson(app, 'ada');
  await arrive(ada.token, 'google', { sub: 'g-9', email: 'ada@example.org', email_verified: true }, 'connect');
  const session = await app.call<Session>('POST', '/v1/sign_in', {
    body: { email: ada.email, password: 'correct horse battery' },
  });
  const token = session.body.token ?? '';
  expect(await connectionsOf(app, token)).toEqual(['google']);
  expect((await app.call('DELETE', '/v1/me/connections/google', { token })).status).toBe(200);
  expect(await connectionsOf(app, token)).toEqual([]);
  expect((await app.call('DELETE', '/v1/me/connections/google', { token })).status).toBe(404);

  const guest = await app.guest();
  const newcomer = await arrive(guest.token, 'google', {
    sub: 'g-10',
    email: 'new@example.org',
    email_verified: false,
  });
  const only = (newcomer.body as unknown as { session: Session }).session.token ?? '';
  const refused = await app.call('DELETE', '/v1/me/connections/google', { token: only });
  expect(refused.status).toBe(409);
  expect(await connectionsOf(app, only)).toEqual(['google']);
});
