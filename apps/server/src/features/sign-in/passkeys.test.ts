import type { Passkey, Session } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { passkeys } from './table.ts';
import { createAuthenticator } from './test/test-authenticator.ts';
import { expectStillGuest } from './test/test-oauth.ts';

interface CreateOptions {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string };
  excludeCredentials: { id: string }[];
  authenticatorSelection: { residentKey: string; userVerification: string };
}

const minute = 60_000;

async function createOptions({ call }: TestApp, token: string): Promise<CreateOptions> {
  const answer = await call<CreateOptions>('POST', '/v1/me/passkeys/options', { token, body: {} });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function signInOptions({ call }: TestApp, token: string | null): Promise<{ challenge: string }> {
  const answer = await call<{ challenge: string }>('POST', '/v1/sign_in/passkey/options', { token, body: {} });
  expect(answer.status).toBe(200);
  return answer.body;
}

const keep = ({ call }: TestApp, token: string, credential: unknown, name = 'My key') =>
  call<Passkey>('POST', '/v1/me/passkeys', { token, body: { name, credential } });

const signIn = ({ call }: TestApp, token: string | null, credential: unknown) =>
  call<Session & { token: string }>('POST', '/v1/sign_in/passkey', { token, body: { credential } });

/** Somebody with a passkey, and the device it is on. */
async function setUp() {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const device = createAuthenticator();
  const made = await keep(app, ada.token, device.create(await createOptions(app, ada.token)));
  expect(made.status).toBe(200);
  return { app, ada, device, passkey: made.body };
}

test('makes a passkey and signs in with it, naming no account', async () => {
  const { app, ada, device, passkey } = await setUp();
  expect(passkey).toMatchObject({ name: 'My key', last_used_at: null });
  const options = await createOptions(app, ada.token);
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Atoll' },
    user: { name: 'ada@example.org' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    excludeCredentials: [{ id: expect.any(String) }],
  });
  const guest = await app.guest();
  app.clock.advance(minute);
  const signedIn = await signIn(app, guest.token, device.get(await signInOptions(app, guest.token)));
  expect(signedIn).toMatchObject({ status: 200, body: { id: ada.id, is_guest: false } });
  const list = await app.call('GET', '/v1/me/passkeys', { token: signedIn.body.token });
  const last_used_at = new Date(app.clock.time).toISOString();
  expect(list.body).toEqual({ entries: [{ ...passkey, last_used_at }] });
  const [row] = await app.database.db.select().from(passkeys);
  expect(row).toMatchObject({ counter: 1, transports: ['internal'], userId: ada.id });
  const subjects = (await app.deliveredMails()).map(({ text }) => text);
  expect(subjects.filter((text) => text.includes('A passkey of your account'))).toHaveLength(1);
});

test('works without a session too', async () => {
  const { app, ada, device } = await setUp();
  const signedIn = await signIn(app, null, device.get(await signInOptions(app, null)));
  expect(signedIn).toMatchObject({ status: 200, body: { id: ada.id } });
});

test('a challenge works once', async () => {
  const { app, device } = await setUp();
  const guest = await app.guest();
  const options = await signInOptions(app, guest.token);
  const credential = device.get(options);
  const first = await signIn(app, guest.token, credential);
  expect(first.status).toBe(200);
  for (const again of [credential, device.get(options)]) {
    const replayed = await signIn(app, first.body.token, again);
    expect(replayed).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(replayed.headers['set-cookie']).toBeUndefined();
  }
});

test('a challenge lives five minutes, belongs to its session and to its purpose', async () => {
  const { app, ada, device } = await setUp();
  const guest = await app.guest();
  const other = await app.guest();
  const late = device.get(await signInOptions(app, guest.token));
  app.clock.advance(5 * minute);
  expect(await signIn(app, guest.token, late)).toMatchObject({ status: 410 });
  const stolen = device.get(await signInOptions(app, guest.token));
  expect(await signIn(app, other.token, stolen)).toMatchObject({ status: 410 });
  expect(await signIn(app, null, stolen)).toMatchObject({ status: 410 });
  const forCreating = device.get(await createOptions(app, ada.token));
  expect(await signIn(app, ada.token, forCreating)).toMatchObject({ status: 410 });
  const ownChallenge = device.get({ challenge: 'bm90LW91cnM' });
  expect(await signIn(app, guest.token, ownChallenge)).toMatchObject({ status: 410 });
  await expectStillGuest(app, guest);
  await expectStillGuest(app, other);
});

test('another origin or host, and another key, open nothing', async () => {
  const { app, device } = await setUp();
  const guest = await app.guest();
  const wrong = {
    origin: device.get(await signInOptions(app, guest.token), { origin: 'https://evil.example.org' }),
    host: device.get(await signInOptions(app, guest.token), { rpId: 'evil.example.org' }),
    unknown: createAuthenticator().get(await signInOptions(app, guest.token)),
  };
  const right = device.get(await signInOptions(app, guest.token));
  const strangers = createAuthenticator().get({ challenge: 'x' });
  const forged = { ...right, response: { ...right.response, signature: strangers.response.signature } };
  for (const [name, credential] of Object.entries({ ...wrong, forged })) {
    const refused = await signIn(app, guest.token, credential);
    expect(refused, name).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
    expect(refused.headers['set-cookie'], name).toBeUndefined();
  }
  await expectStillGuest(app, guest);
  expect(await signIn(app, guest.token, device.get(await signInOptions(app, guest.token)))).toMatchObject({
    status: 200,
  });
});

test('a counter that goes back, or stays, means a cloned key and is refused', async () => {
  const { app, device } = await setUp();
  const guest = await app.guest();
  device.counter = 5;
  const signedIn = await signIn(app, guest.token, device.get(await signInOptions(app, guest.token)));
  expect(signedIn.status).toBe(200);
  const next = await app.guest();
  for (const counter of [4, 5]) {
    device.counter = counter;
    // Each use counts one further, so these present 5 and 6 where 6 was seen already.
    const refused = await signIn(app, next.token, device.get(await signInOptions(app, next.token)));
    expect(refused, `from ${counter}`).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
  }
  await expectStillGuest(app, next);
  const ahead = await signIn(app, next.token, device.get(await signInOptions(app, next.token)));
  expect(ahead.status).toBe(200);
});

test('a counter the database cannot hold is refused, not an error of ours', async () => {
  const { app, device } = await setUp();
  device.counter = 2 ** 31;
  const guest = await app.guest();
  expect(await signIn(app, guest.token, device.get(await signInOptions(app, guest.token)))).toMatchObject({
    status: 401,
  });
});

test('of two uses with the same count at once, one gets through', async () => {
  const { app, device } = await setUp();
  const one = await app.guest();
  const two = await app.guest();
  const first = device.get(await signInOptions(app, one.token));
  device.counter = 0;
  const second = device.get(await signInOptions(app, two.token));
  const both = await Promise.all([signIn(app, one.token, first), signIn(app, two.token, second)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a new passkey needs the right origin, a fresh challenge of its owner, and to be new', async () => {
  const { app, ada, device } = await setUp();
  const grace = await app.person('grace');
  const other = createAuthenticator();
  const elsewhere = other.create(await createOptions(app, ada.token), { origin: 'https://evil.example.org' });
  expect(await keep(app, ada.token, elsewhere)).toMatchObject({ status: 422, body: { code: 'unprocessable_entity' } });
  const foreign = other.create(await createOptions(app, ada.token));
  expect(await keep(app, grace.token, foreign)).toMatchObject({ status: 410 });
  expect(await keep(app, ada.token, foreign)).toMatchObject({ status: 200 });
  expect(await keep(app, ada.token, foreign)).toMatchObject({ status: 410 });
  const twice = device.create(await createOptions(app, grace.token));
  expect(await keep(app, grace.token, twice)).toMatchObject({ status: 409 });
  for (const broken of [{ id: 'x' }, { id: 'x', response: { clientDataJSON: '{}' } }, { id: 'x', response: 5 }]) {
    expect(await keep(app, ada.token, broken)).toMatchObject({ status: 410 });
    expect(await signIn(app, null, broken)).toMatchObject({ status: 410 });
  }
  const empty = {
    ...foreign,
    response: { clientDataJSON: other.create(await createOptions(app, ada.token)).response.clientDataJSON },
  };
  expect(await keep(app, ada.token, empty)).toMatchObject({ status: 422 });
});

test('passkeys are made by people who signed in lately', async () => {
  const { app, ada } = await setUp();
  const guest = await app.guest();
  const ask = (token: string | null) => app.call('POST', '/v1/me/passkeys/options', { token, body: {} });
  expect(await ask(null)).toMatchObject({ status: 401 });
  expect(await ask(guest.token)).toMatchObject({ status: 403 });
  app.clock.advance(121 * minute);
  expect(await ask(ada.token)).toMatchObject({
    status: 403,
    body: { details: { reason: 'reauthentication_required' } },
  });
});

test('only its owner can delete a passkey; then it opens nothing', async () => {
  const { app, ada, device, passkey } = await setUp();
  const grace = await app.person('grace');
  const remove = (token: string) => app.call('DELETE', `/v1/me/passkeys/${passkey.id}`, { token });
  expect(await remove(grace.token)).toMatchObject({ status: 404 });
  expect(await app.database.db.select().from(passkeys)).toHaveLength(1);
  expect(await remove(ada.token)).toMatchObject({ status: 200 });
  expect(await remove(ada.token)).toMatchObject({ status: 404 });
  const guest = await app.guest();
  const refused = await signIn(app, guest.token, device.get(await signInOptions(app, guest.token)));
  expect(refused).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
});

test('a suspended account stays shut for its passkey', async () => {
  const { app, ada, device } = await setUp();
  const change = { suspendedAt: new Date(app.clock.time) };
  await app.database.db.update(users).set(change).where(eq(users.id, ada.id));
  const guest = await app.guest();
  const refused = await signIn(app, guest.token, device.get(await signInOptions(app, guest.token)));
  expect(refused).toMatchObject({ status: 403, body: { message: 'This account is suspended.' } });
  await expectStillGuest(app, guest);
});
