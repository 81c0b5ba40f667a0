import type { Preferences, Session, Settings } from '@atoll/contract';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, testPassword } from '../../test/test-app.ts';

async function upload({ app, call }: TestApp, token: string, content: Buffer, name = 'me.png') {
  const slot = await call<{ upload_id: string; url: string }>('POST', '/v1/upload', {
    token,
    body: { client_name: name, client_mime_type: 'image/png' },
  });
  const sent = await app.http.inject({
    method: 'PUT',
    url: slot.body.url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    payload: content,
  });
  return { id: slot.body.upload_id, status: sent.statusCode };
}

const picture = () =>
  sharp({ create: { width: 600, height: 300, channels: 3, background: '#0f766e' } })
    .withExif({ IFD0: { Artist: 'secret place' } })
    .png()
    .toBuffer();

describe('the profile', () => {
  const profile = {
    user_name: 'ada_l',
    first_name: 'Ada',
    last_name: 'Lovelace',
    headline: 'Notes on the engine',
    company_name: 'Analytical',
    company_position: 'Countess',
    social_urls: {
      twitter: 'https://x.example/ada',
      linkedin: null,
      blog: 'https://blog.example',
      website: 'https://ada.example',
      facebook: null,
    },
    avatar_icon: '🧮',
    is_discoverable: false,
  };

  test('takes every field and gives it back, in the session too', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    const saved = await call<Settings>('PATCH', '/v1/settings', { token, body: profile });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject(profile);
    expect((await call<Settings>('GET', '/v1/settings', { token })).body).toEqual(saved.body);
    expect((await call<Session>('GET', '/v1/me', { token })).body).toMatchObject(profile);
  });

  test('a user name belongs to one person, whatever its case', async () => {
    const { call, person } = await createTestApp();
    await person('first_one');
    const { token } = await person('second_one');
    const answer = await call('PATCH', '/v1/settings', { token, body: { user_name: 'FIRST_one' } });
    expect(answer.status).toBe(422);
    expect(answer.body.fields).toEqual({ user_name: ['This user name is taken'] });
  });

  test('refuses links that are not web addresses and names that change the direction of text', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    for (const body of [
      { social_urls: { website: 'javascript:alert(1)' } },
      { headline: 'abc\u202Egpj.exe' },
      { first_name: 'a\nb' },
      { user_name: '<script>' },
    ]) {
      expect((await call('PATCH', '/v1/settings', { token, body })).status).toBe(422);
    }
  });

  test('owner, role, balance and plan cannot be assigned', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    for (const field of [
      'role',
      'is_admin',
      'balance',
      'plan',
      'id',
      'is_email_confirmed',
      'user_id',
      'has_password',
    ]) {
      const answer = await call('PATCH', '/v1/settings', { token, body: { headline: 'x', [field]: 'admin' } });
      expect(answer.status, field).toBe(422);
    }
    expect((await call<Session>('GET', '/v1/me', { token })).body).toMatchObject({
      role: 'user',
      balance: 0,
      headline: '',
    });
  });

  test('an avatar is cut to a square, loses its metadata and is public', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const { id } = await upload(app, token, await picture());
    const saved = await app.call<Settings>('PATCH', '/v1/settings', { token, body: { avatar_upload_id: id } });
    const asset = await app.app.http.inject({ method: 'GET', url: saved.body.avatar ?? '' });
    expect(asset.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
    const metadata = await sharp(asset.rawPayload).metadata();
    expect(metadata).toMatchObject({ width: 256, height: 256, format: 'webp' });
    expect(metadata.exif).toBeUndefined();
    const removed = await app.call<Settings>('PATCH', '/v1/settings', { token, body: { avatar_upload_id: null } });
    expect(removed.body.avatar).toBeNull();
  });

  test('a drawing is not taken: it could be a program that draws for hours', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>';
    const { id } = await upload(app, token, Buffer.from(svg), 'x.svg');
    const answer = await app.call('PATCH', '/v1/settings', { token, body: { avatar_upload_id: id } });
    expect(answer.status).toBe(422);
  });

  test("refuses what is no picture, an unfinished upload and another person's upload", async () => {
    const app = await createTestApp();
    const [ada, eve] = [await app.person(), await app.person()];
    const use = (token: string, id: string) =>
      app.call('PATCH', '/v1/settings', { token, body: { avatar_upload_id: id } });
    const text = await upload(app, ada.token, Buffer.from('not a picture'));
    expect((await use(ada.token, text.id)).status).toBe(422);
    const hers = await upload(app, ada.token, await picture());
    expect((await use(eve.token, hers.id)).status).toBe(422);
    const slot = await app.post<{ upload_id: string }>(ada.token, '/v1/upload', { client_name: 'x' });
    expect((await use(ada.token, slot.body.upload_id)).status).toBe(422);
  });
});

describe('uploads', () => {
  test('take their content once, and only from their owner', async () => {
    const app = await createTestApp();
    const [ada, eve] = [await app.person(), await app.person()];
    const slot = await app.post<{ upload_id: string; url: string; max_size: number }>(ada.token, '/v1/upload', {
      client_name: 'x',
    });
    expect(slot.body.max_size).toBe(100 * 1024 * 1024);
    const put = (token: string) =>
      app.app.http.inject({
        method: 'PUT',
        url: slot.body.url,
        payload: 'abc',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      });
    expect((await put(eve.token)).statusCode).toBe(404);
    expect((await put(ada.token)).statusCode).toBe(200);
    expect((await put(ada.token)).statusCode).toBe(409);
  });

  test('take bytes only, and a guest not without end', async () => {
    const app = await createTestApp();
    const { token } = await app.guest();
    const put = async (payload: string | Buffer, type: string) => {
      const slot = await app.call<{ url: string }>('POST', '/v1/upload', { token, body: { client_name: 'x' } });
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      return app.app.http.inject({ method: 'PUT', url: slot.body.url, payload, headers });
    };
    expect((await put('{}', 'application/json')).statusCode).toBe(415);
    // Its memory is given back once it is written, so each needs its own.
    const large = () => Buffer.alloc(30 * 1024 ** 2);
    expect((await put(large(), 'application/octet-stream')).statusCode).toBe(200);
    const refused = await put(large(), 'application/octet-stream');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ details: { reason: 'usage_limit_reached' } });
    app.clock.advance(25 * 60 * 60_000);
    expect((await put(large(), 'application/octet-stream')).statusCode).toBe(200);
  });
});

describe('credentials', () => {
  test('a mailed link does not outlive the address or the password it was mailed for', async () => {
    const { call, person, deliveredMails } = await createTestApp();
    const { token, email } = await person();
    const mailed = async (path: string) => {
      await call('POST', path, { body: { email } });
      return /#token=([\w-]+)/.exec((await deliveredMails()).at(-1)?.text ?? '')?.[1];
    };
    const [reset, link] = [await mailed('/v1/password_reset'), await mailed('/v1/sign_in/link')];
    await call('PATCH', '/v1/settings/credentials', { token, body: { email: 'new@example.org' } });
    const redeemed = [
      await call('POST', '/v1/password_reset/redeem', { body: { token: reset, password: 'taken over now' } }),
      await call('POST', '/v1/sign_in/link/redeem', { body: { token: link } }),
    ];
    expect(redeemed.map(({ status }) => status)).toEqual([410, 410]);
    const told = (await deliveredMails()).filter((mail) => mail.to === email).map((mail) => mail.subject);
    expect(told.at(-1)).toContain('Your sign-in details changed');
  });

  test('one account cannot fill the mailbox of a stranger by changing its details again and again', async () => {
    const { call, clock, person, deliveredMails } = await createTestApp();
    const { token } = await person();
    const stranger = 'stranger@example.org';
    const change = (body: object) => call('PATCH', '/v1/settings/credentials', { token, body });
    const mailsToStranger = async () =>
      (await deliveredMails()).filter(({ to }) => to.toLowerCase() === stranger).length;
    for (let turn = 0; turn < 10; turn++) {
      for (const email of ['other@example.org', turn % 2 ? stranger : 'Stranger@Example.org'])
        expect((await change({ email })).status).toBe(200);
      expect((await change({ password: `${testPassword} ${turn}` })).status).toBe(200);
    }
    expect(await mailsToStranger()).toBe(10);
    clock.advance(24 * 60 * 60_000);
    expect((await call('POST', '/v1/email_confirmation', { token })).status).toBe(200);
    expect(await mailsToStranger()).toBe(11);
  });

  test('a new password works, the old one does not, and other sessions end', async () => {
    const { call, person } = await createTestApp();
    const { token, email } = await person();
    const other = await call<Session>('POST', '/v1/sign_in', { body: { email, password: testPassword } });
    const changed = await call('PATCH', '/v1/settings/credentials', {
      token,
      body: { password: 'a new long password' },
    });
    expect(changed.status).toBe(200);
    expect((await call('GET', '/v1/settings', { token })).status).toBe(200);
    expect((await call('GET', '/v1/settings', { token: other.body.token })).status).toBe(401);
    expect((await call('POST', '/v1/sign_in', { body: { email, password: testPassword } })).status).toBe(401);
    expect((await call('POST', '/v1/sign_in', { body: { email, password: 'a new long password' } })).status).toBe(200);
  });

  test('a new address is unconfirmed until its own link is used', async () => {
    const { call, person, deliveredMails } = await createTestApp();
    const { token } = await person();
    const changed = await call<Settings>('PATCH', '/v1/settings/credentials', {
      token,
      body: { email: 'new@example.org' },
    });
    expect(changed.body).toMatchObject({ email: 'new@example.org', is_email_confirmed: false });
    const mail = (await deliveredMails()).find(({ to }) => to === 'new@example.org');
    const link = /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    expect((await call('POST', '/v1/email_confirmation/redeem', { token, body: { token: link } })).status).toBe(200);
    expect((await call<Settings>('GET', '/v1/settings', { token })).body.is_email_confirmed).toBe(true);
  });
});

describe('preferences', () => {
  test('change one by one, for guests too', async () => {
    const { call, guest } = await createTestApp();
    const { token } = await guest();
    await call('PATCH', '/v1/preferences', { token, body: { theme_mode: 'dark' } });
    const after = await call<Preferences>('PATCH', '/v1/preferences', { token, body: { time_zone: 'Europe/Vienna' } });
    expect(after.body).toMatchObject({ theme_mode: 'dark', time_zone: 'Europe/Vienna', language: 'en' });
    expect((await call('PATCH', '/v1/preferences', { token, body: { time_zone: 'Mars/Base' } })).status).toBe(422);
  });
});

describe('the about page', () => {
  const page = (text: string) => ({ type: 'markdown', text });

  test('has a draft that only its author sees, and a published text that all see', async () => {
    const { call, person } = await createTestApp();
    const [ada, eve] = [await person(), await person()];
    await call('PUT', '/v1/me/about_page', {
      token: ada.token,
      body: { content_rich_draft: page('draft'), content_rich: page('public') },
    });
    const read = async (token?: string) => (await call('GET', `/v1/users/${ada.id}/about_page`, { token })).body;
    expect(await read(ada.token)).toEqual({ content_rich: page('public'), content_rich_draft: page('draft') });
    expect(await read(eve.token)).toEqual({ content_rich: page('public'), content_rich_draft: null });
    expect(await read()).toEqual({ content_rich: page('public'), content_rich_draft: null });
  });

  test('of somebody who does not want to be found, or does not exist, is 404', async () => {
    const { call, person, guest } = await createTestApp();
    const [ada, eve] = [await person(), await person()];
    await call('PATCH', '/v1/settings', { token: ada.token, body: { is_discoverable: false } });
    expect((await call('GET', `/v1/users/${ada.id}/about_page`, { token: eve.token })).status).toBe(404);
    expect((await call('GET', `/v1/users/${(await guest()).id}/about_page`)).status).toBe(404);
    expect((await call('GET', '/v1/users/01a1dd12-7667-7a9d-add5-fac09aa94ef2/about_page')).status).toBe(404);
  });
});

test('signup_stats tells how one came and whom one brought', async () => {
  const { call, guest, clock } = await createTestApp();
  const first = await call<Session>('POST', '/v1/sign_up', {
    token: (await guest()).token,
    body: { email: 'a@example.org', password: testPassword, user_name: 'aaa' },
  });
  await call('POST', '/v1/sign_up', {
    body: { email: 'b@example.org', password: testPassword, user_name: 'bbb', referral_code: first.body.referral_code },
  });
  clock.advance(3 * 24 * 60 * 60_000);
  const stats = await call('GET', '/v1/me/signup_stats', { token: first.body.token });
  expect(stats.body).toMatchObject({
    days_since_signup: 3,
    referred_users_count: 1,
    referral_code: first.body.referral_code,
  });
});
