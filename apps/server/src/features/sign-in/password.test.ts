import type { Session } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp, testPassword, tokenIn } from '../../test/test-app.ts';
import { users } from '../users/table.ts';

const minute = 60_000;
const newPassword = 'another horse battery';

test('signs up, signs in and answers the session', async () => {
  const { call } = await createTestApp();
  const body = { email: 'Ada@Example.org', password: testPassword, user_name: 'ada' };
  const up = await call<Session>('POST', '/v1/sign_up', { body });
  expect(up.status).toBe(200);
  expect(up.body).toMatchObject({ user_name: 'ada', is_guest: false, is_email_confirmed: false });
  const signIn = await call<Session>('POST', '/v1/sign_in', {
    body: { email: 'ada@example.ORG', password: testPassword },
  });
  expect(signIn.status).toBe(200);
  expect(signIn.body.id).toBe(up.body.id);
  expect(signIn.body.token).not.toBe(up.body.token);
});

test('a wrong password and an unknown address answer the same', async () => {
  const { call, person } = await createTestApp();
  await person('ada');
  const attempt = (email: string, password: string) => call('POST', '/v1/sign_in', { body: { email, password } });
  const wrong = await attempt('ada@example.org', newPassword);
  const unknown = await attempt('nobody@example.org', testPassword);
  for (const refused of [wrong, unknown]) {
    expect(refused).toMatchObject({ status: 401, body: { message: 'Authentication failed', fields: {} } });
    expect(refused.headers['set-cookie']).toBeUndefined();
  }
});

test('an address and a name belong to one account', async () => {
  const { call, person } = await createTestApp();
  await person('ada');
  const signUp = (email: string, user_name: string) =>
    call('POST', '/v1/sign_up', { body: { email, password: testPassword, user_name } });
  expect(await signUp('ADA@example.org', 'other')).toMatchObject({
    status: 422,
    body: { fields: { email: [expect.anything()] } },
  });
  expect(await signUp('other@example.org', 'ADA')).toMatchObject({
    status: 422,
    body: { fields: { user_name: [expect.anything()] } },
  });
});

test('sign-up can be closed', async () => {
  const { call } = await createTestApp({ env: { ATOLL_SIGN_UP: 'off' } });
  const body = { email: 'ada@example.org', password: testPassword, user_name: 'ada' };
  expect(await call('POST', '/v1/sign_up', { body })).toMatchObject({
    status: 403,
    body: { details: { reason: 'disabled_in_configuration' } },
  });
});

test('a suspended person is refused with the reason, and only with the right password', async () => {
  const { call, person, database, clock } = await createTestApp();
  const ada = await person('ada');
  const change = { suspendedAt: new Date(clock.time), suspensionMessage: 'Gone fishing' };
  await database.db.update(users).set(change).where(eq(users.id, ada.id));
  const attempt = (password: string) => call('POST', '/v1/sign_in', { body: { email: 'ada@example.org', password } });
  expect(await attempt(testPassword)).toMatchObject({ status: 403, body: { message: 'Gone fishing' } });
  expect(await attempt(newPassword)).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
});

test('a reset sets the password, confirms the address and ends every other session', async () => {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const elsewhere = await app.call<Session>('POST', '/v1/sign_in', {
    body: { email: 'ada@example.org', password: testPassword },
  });
  await app.call('POST', '/v1/password_reset', { body: { email: 'ADA@example.org' } });
  const token = tokenIn((await app.deliveredMails()).at(-1));
  const body = { token, password: newPassword };
  const reset = await app.call<Session>('POST', '/v1/password_reset/redeem', { body });
  expect(reset).toMatchObject({ status: 200, body: { id: ada.id, is_email_confirmed: true } });
  for (const old of [ada.token, elsewhere.body.token]) {
    expect(await app.call('GET', '/v1/me', { token: old })).toMatchObject({ status: 401 });
  }
  expect(await app.call('GET', '/v1/me', { token: reset.body.token })).toMatchObject({ status: 200 });
  const signIn = (password: string) =>
    app.call('POST', '/v1/sign_in', { body: { email: 'ada@example.org', password } });
  expect((await signIn(testPassword)).status).toBe(401);
  expect((await signIn(newPassword)).status).toBe(200);
  expect((await app.deliveredMails()).at(-1)?.text).toContain('A password of your account');

  const again = await app.call('POST', '/v1/password_reset/redeem', { body: { token, password: testPassword } });
  expect(again).toMatchObject({ status: 410, body: { code: 'gone' } });
  expect((await signIn(testPassword)).status).toBe(401);
});

test('a reset link lives an hour, and is no sign-in link', async () => {
  const app = await createTestApp();
  await app.person('ada');
  await app.call('POST', '/v1/password_reset', { body: { email: 'ada@example.org' } });
  const token = tokenIn((await app.deliveredMails()).at(-1));
  expect(await app.call('POST', '/v1/sign_in/link/redeem', { body: { token } })).toMatchObject({ status: 410 });
  app.clock.advance(60 * minute);
  const late = await app.call('POST', '/v1/password_reset/redeem', { body: { token, password: newPassword } });
  expect(late).toMatchObject({ status: 410 });
});
