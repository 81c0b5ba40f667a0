import type { Session } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { signInFeature } from './index.ts';
import { expectStillGuest } from './test/test-oauth.ts';
import { botToken, signInitData, signLoginData } from './test/test-telegram.ts';

const minute = 60_000;
const failed = { status: 401, body: { message: 'Authentication failed' } };

const createTelegramApp = (env: Record<string, string> = {}) =>
  createTestApp({ env: { TELEGRAM_BOT_TOKEN: botToken, ...env } });

const launch = (app: TestApp, more: Record<string, string> = {}, id = 42) =>
  String(
    signInitData({
      user: JSON.stringify({ id, first_name: 'Ada', last_name: 'L', username: `tg_${id}` }),
      auth_date: String(Math.floor(app.clock.time / 1000)),
      query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
      ...more,
    }),
  );

const me = (app: TestApp, query: Record<string, string>, token: string | null = null) =>
  app.call<Session & { token: string | null }>('GET', '/v1/me', { query, token });

test('a launch in Telegram signs in, makes the account once and takes the signed referral only', async () => {
  const app = await createTelegramApp({ ATOLL_SIGN_UP: 'off' });
  const first = await me(app, {
    telegram_init_data: launch(app, { start_param: 'FRIEND1234' }),
    referral_code: 'SOMEBODYELSE',
    user_source: 'telegram',
  });
  expect(first).toMatchObject({
    status: 200,
    body: {
      is_guest: false,
      user_name: 'tg_42',
      first_name: 'Ada',
      last_name: 'L',
      email: null,
      is_managed_by_messaging_app: true,
      referral: 'FRIEND1234',
      token: expect.any(String),
    },
  });
  app.clock.advance(minute);
  const second = await me(app, { telegram_init_data: launch(app) });
  expect(second).toMatchObject({ status: 200, body: { id: first.body.id } });
  const login = signLoginData({ id: '42', first_name: 'Ada', auth_date: String(app.clock.time / 1000) });
  const third = await me(app, { telegram_oauth_data: JSON.stringify(login), referral_code: 'SOMEBODYELSE' });
  expect(third).toMatchObject({ status: 200, body: { id: first.body.id } });
  const unsigned = await me(app, { telegram_init_data: launch(app, {}, 43), referral_code: 'SOMEBODYELSE' });
  expect(unsigned).toMatchObject({ status: 200, body: { referral: null } });
});

test('a guest becomes the Telegram account', async () => {
  const app = await createTelegramApp();
  const guest = await app.guest();
  const signedIn = await me(app, { telegram_init_data: launch(app) }, guest.token);
  expect(signedIn).toMatchObject({ status: 200, body: { id: guest.id, is_guest: false } });
  expect(await me(app, {}, guest.token)).toMatchObject(failed);
});

test('launch data that was used is good for a reload by the same person, and for nobody else', async () => {
  const app = await createTelegramApp();
  const telegram_init_data = launch(app);
  const first = await me(app, { telegram_init_data });
  expect(first.status).toBe(200);
  const { token } = first.body;

  const reload = await me(app, { telegram_init_data }, token);
  expect(reload).toMatchObject({ status: 200, body: { id: first.body.id, token: null } });

  const guest = await app.guest();
  const person = await app.person();
  const reordered = String(new URLSearchParams([...new URLSearchParams(telegram_init_data)].reverse()));
  for (const data of [telegram_init_data, reordered]) {
    for (const other of [null, guest.token, person.token]) {
      const replayed = await me(app, { telegram_init_data: data }, other);
      expect(replayed).toMatchObject(failed);
      expect(replayed.headers['set-cookie']).toBeUndefined();
    }
  }
  await expectStillGuest(app, guest);

  await app.call('DELETE', '/v1/log_out', { token });
  expect(await me(app, { telegram_init_data }, token)).toMatchObject(failed);
});

test('sweeping forgets no launch data that is still fresh', async () => {
  const app = await createTelegramApp();
  const ahead = String(Math.floor(app.clock.time / 1000) + 60);
  const telegram_init_data = launch(app, { auth_date: ahead });
  expect(await me(app, { telegram_init_data })).toMatchObject({ status: 200 });
  app.clock.advance(61 * minute);
  await signInFeature.sweep?.(app.app.system());
  expect(await me(app, { telegram_init_data })).toMatchObject(failed);
  app.clock.advance(1);
  await signInFeature.sweep?.(app.app.system());
  expect(await me(app, { telegram_init_data })).toMatchObject(failed);
});

test('of two launches with the same data at once, one signs in', async () => {
  const app = await createTelegramApp();
  const telegram_init_data = launch(app);
  const both = await Promise.all([me(app, { telegram_init_data }), me(app, { telegram_init_data })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('bad data answers 401 with the words of the spec, and leaves a guest a guest', async () => {
  const app = await createTelegramApp();
  const guest = await app.guest();
  const good = launch(app);
  const wrong: Record<string, string>[] = [
    { telegram_init_data: good.replace(/hash=./, 'hash=x') },
    { telegram_init_data: good.replace(/&?hash=\w+/, '') },
    { telegram_init_data: `${good}&query_id=twice` },
    { telegram_init_data: launch(app, { auth_date: String(app.clock.time / 1000 - 3_601) }) },
    { telegram_init_data: launch(app, { auth_date: String(app.clock.time / 1000 + 61) }) },
    { telegram_init_data: String(signInitData(Object.fromEntries(new URLSearchParams(good)), '1:other')) },
    { telegram_init_data: '' },
    { telegram_oauth_data: good },
    { telegram_oauth_data: '{"id":42}' },
  ];
  for (const query of wrong) {
    const refused = await me(app, query, guest.token);
    expect(refused, JSON.stringify(query)).toMatchObject(failed);
    expect(refused.headers['set-cookie']).toBeUndefined();
  }
  await expectStillGuest(app, guest);
});

test('two tokens at once are too many', async () => {
  const app = await createTelegramApp();
  const refused = await me(app, { telegram_init_data: launch(app), idm_token: 'x' });
  expect(refused).toMatchObject({
    status: 422,
    body: { fields: { telegram_init_data: expect.anything(), idm_token: expect.anything() } },
  });
});

test('without a bot, Telegram is switched off', async () => {
  const app = await createTestApp();
  for (const name of ['telegram_init_data', 'telegram_oauth_data']) {
    expect(await me(app, { [name]: launch(app) })).toMatchObject({
      status: 403,
      body: { details: { reason: 'disabled_in_configuration' } },
    });
  }
});

test('a suspended person stays out, and the launch data is not used up by it', async () => {
  const app = await createTelegramApp();
  const { id } = (await me(app, { telegram_init_data: launch(app) })).body;
  const suspend = (suspendedAt: Date | null) =>
    app.database.db.update(users).set({ suspendedAt }).where(eq(users.id, id));
  await suspend(new Date(app.clock.time));
  app.clock.advance(minute);
  const telegram_init_data = launch(app);
  expect(await me(app, { telegram_init_data })).toMatchObject({ status: 403 });
  await suspend(null);
  expect(await me(app, { telegram_init_data })).toMatchObject({ status: 200, body: { id } });
});
