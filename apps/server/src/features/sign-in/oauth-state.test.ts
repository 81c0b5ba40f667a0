import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { oauthStates } from './table.ts';
import { begin, expectStillGuest, finish } from './test/test-oauth.ts';
import { startOidcProvider } from './test/test-oidc-provider.ts';

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true };
const minute = 60_000;

async function setUp() {
  const provider = await startOidcProvider();
  const app = await createTestApp({ env: { ...provider.env('oidc'), ...provider.env('google') } });
  const guest = await app.guest();
  const { state, authorization_url, expires_at } = await begin(app, guest.token, 'oidc');
  return { provider, app, guest, state, authorization_url, expires_at };
}

test('only the hash of a state is stored, and it has 256 random bits', async () => {
  const { app, state } = await setUp();
  const [row] = await app.database.db.select().from(oauthStates);
  expect(state).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(row)).not.toContain(state);
});

test('a forged state opens nothing and leaves the true one usable', async () => {
  const { provider, app, guest, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, ada);
  const forged = await finish(app, guest.token, 'oidc', { ...answer, state: 'A'.repeat(43) });
  expect(forged).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(forged.headers['set-cookie']).toBeUndefined();
  await expectStillGuest(app, guest);
  expect(provider.requests).not.toContain('/token');
  expect(await finish(app, guest.token, 'oidc', answer)).toMatchObject({ status: 200 });
});

test('a state works once: a replay opens nothing, not even for the session it opened', async () => {
  const { provider, app, guest, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, ada);
  const first = await finish(app, guest.token, 'oidc', answer);
  expect(first.status).toBe(200);
  for (const token of [guest.token, first.body.session.token, null]) {
    const replayed = await finish(app, token, 'oidc', answer);
    expect(replayed.status).toBe(401);
    expect(replayed.headers['set-cookie']).toBeUndefined();
  }
});

test('a state that failed is used up too', async () => {
  const { provider, app, guest, state, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, ada);
  const failed = await finish(app, guest.token, 'oidc', { ...answer, code: 'made-up' });
  expect(failed.status).toBe(401);
  const again = await finish(app, guest.token, 'oidc', { ...answer, state });
  expect(again).toMatchObject({ status: 410, body: { code: 'gone' } });
  await expectStillGuest(app, guest);
});

test('of two callbacks with one state at once, one gets through', async () => {
  const { provider, app, guest, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, ada);
  const both = await Promise.all([1, 2].map(() => finish(app, guest.token, 'oidc', answer)));
  const statuses = both.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect([401, 410]).toContain(statuses[1]);
  expect(provider.requests.filter((path) => path === '/token')).toHaveLength(1);
});

test('a state lives ten minutes', async () => {
  const { provider, app, guest, authorization_url, expires_at } = await setUp();
  expect(Date.parse(expires_at)).toBe(app.clock.time + 10 * minute);
  const answer = await provider.answer(authorization_url, ada);
  app.clock.advance(10 * minute);
  const late = await finish(app, guest.token, 'oidc', answer);
  expect(late).toMatchObject({ status: 410, body: { code: 'gone' } });
  await expectStillGuest(app, guest);

  const { authorization_url: again } = await begin(app, guest.token, 'oidc');
  const inTime = await provider.answer(again, ada);
  app.clock.advance(10 * minute - 1);
  expect(await finish(app, guest.token, 'oidc', inTime)).toMatchObject({ status: 200 });
});

test("another browser's state opens nothing: not for another guest, another person or nobody", async () => {
  const { provider, app, guest, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, ada);
  const stranger = await app.guest();
  const person = await app.person();
  for (const token of [stranger.token, person.token, null]) {
    const stolen = await finish(app, token, 'oidc', answer);
    expect(stolen).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('started in another browser') },
    });
    expect(stolen.headers['set-cookie']).toBeUndefined();
  }
  await expectStillGuest(app, stranger);
  await expectStillGuest(app, guest);
  expect(await finish(app, guest.token, 'oidc', answer)).toMatchObject({ status: 200 });
});

test('a state begun at one provider is not taken at another, nor one begun at none', async () => {
  const { provider, app, guest, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, ada);
  const elsewhere = await finish(app, guest.token, 'google', answer);
  expect(elsewhere).toMatchObject({ status: 401, body: { message: expect.stringContaining('another browser') } });
  const bare = await app.post<{ state: string; authorization_url: null }>(guest.token, '/v1/me/oauthstate', {
    reason: 'anything',
  });
  expect(bare).toMatchObject({ status: 200, body: { authorization_url: null } });
  expect(await finish(app, guest.token, 'oidc', { ...answer, state: bare.body.state })).toMatchObject({ status: 401 });
  await expectStillGuest(app, guest);
  expect(provider.requests).not.toContain('/token');
  expect(await finish(app, guest.token, 'oidc', answer)).toMatchObject({ status: 200 });
});

test('saying no at the provider uses the state up and signs nobody in', async () => {
  const { provider, app, guest, authorization_url } = await setUp();
  const answer = await provider.answer(authorization_url, 'refuses');
  expect(answer).toMatchObject({ error: 'access_denied' });
  const refused = await finish(app, guest.token, 'oidc', answer);
  expect(refused).toMatchObject({ status: 401, body: { message: 'You did not allow the sign-in.' } });
  expect(await finish(app, guest.token, 'oidc', answer)).toMatchObject({ status: 410 });
  await expectStillGuest(app, guest);
});

test('an answer with neither code nor error is told so, and costs nothing', async () => {
  const { provider, app, guest, state, authorization_url } = await setUp();
  const missing = await finish(app, guest.token, 'oidc', { state });
  expect(missing).toMatchObject({ status: 422, body: { fields: { code: ['Is missing'] } } });
  const answer = await provider.answer(authorization_url, ada);
  expect(await finish(app, guest.token, 'oidc', answer)).toMatchObject({ status: 200 });
});

test('beginning needs a session', async () => {
  const { app } = await setUp();
  const begun = await app.call('POST', '/v1/me/oauthstate', { body: { reason: 'sign_in', provider: 'oidc' } });
  expect(begun.status).toBe(401);
});

test('return_to takes paths of this site only', async () => {
  const { app, guest } = await setUp();
  const elsewhere = [
    'https://evil.example.org',
    '//evil.example.org',
    '/\\evil.example.org',
    '\\\\evil.example.org',
    'javascript:alert(1)',
    'projects',
    '/pro\u0001jects',
    '/a\tb',
    '',
  ];
  for (const return_to of elsewhere) {
    const body = { reason: 'sign_in', provider: 'oidc', return_to };
    const refused = await app.call('POST', '/v1/me/oauthstate', { token: guest.token, body });
    expect(refused, return_to).toMatchObject({ status: 422, body: { fields: { return_to: expect.anything() } } });
    const link = await app.call('POST', '/v1/sign_in/link', { body: { email: 'a@example.org', return_to } });
    expect(link, return_to).toMatchObject({ status: 422, body: { fields: { return_to: expect.anything() } } });
  }
});

test('states that have run out are swept', async () => {
  const { app } = await setUp();
  const { signInFeature } = await import('./index.ts');
  const left = () => app.database.db.select().from(oauthStates).where(eq(oauthStates.reason, 'sign_in'));
  await signInFeature.sweep?.(app.app.system());
  expect(await left()).toHaveLength(1);
  app.clock.advance(10 * minute + 1);
  await signInFeature.sweep?.(app.app.system());
  expect(await left()).toHaveLength(0);
});
