import type { OpenSession, Session } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createTestApp, testPassword } from '../../test/test-app.ts';
import { idleLife, recentLife, sessionLife } from './service.ts';

const day = 24 * 60 * 60_000;

describe('GET /v1/me', () => {
  test('makes a guest without credentials and continues it with its token', async () => {
    const { call } = await createTestApp();
    const first = await call<Session>('GET', '/v1/me', {
      query: { guest_id: 'browser-made-id-0001', user_source: 'git_import' },
    });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      is_guest: true,
      guest_id: 'browser-made-id-0001',
      is_admin: false,
      email: null,
    });
    const again = await call<Session>('GET', '/v1/me', { token: first.body.token });
    expect(again.body).toMatchObject({ id: first.body.id, token: null });
  });

  test('a guest id that is taken opens nothing without its token; a fresh one does', async () => {
    const { call } = await createTestApp();
    const guest_id = 'somebody-elses-guest';
    await call('GET', '/v1/me', { query: { guest_id } });
    const thief = await call('GET', '/v1/me', { query: { guest_id } });
    expect(thief.status).toBe(401);
    expect(thief.body.message).toBe('Authentication failed');
    expect((await call('GET', '/v1/me', { query: { guest_id: 'a-fresh-guest-id-2' } })).status).toBe(200);
  });

  test('answers only the parts asked for', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    const bare = await call<Session>('GET', '/v1/me', { token });
    for (const part of ['features', 'roles', 'preferences', 'trial', 'github', 'documentation_enabled']) {
      expect(bare.body).not.toHaveProperty(part);
    }
    const parts = [
      'with_features',
      'with_roles',
      'with_preferences',
      'with_trial',
      'with_github',
      'with_documentation_enabled',
    ];
    const full = await call<Session>('GET', '/v1/me', {
      token,
      query: Object.fromEntries(parts.map((name) => [name, 'true'])),
    });
    expect(full.body).toMatchObject({
      features: {
        ai: { enabled: true, reason: null },
        rating: { enabled: false, reason: 'disabled_in_configuration' },
        reports_only: { enabled: false, reason: 'disabled_in_configuration' },
      },
      roles: [],
      preferences: { theme_mode: 'system' },
      trial: { is_enabled: false },
      github: { is_connected: false },
      documentation_enabled: false,
    });
  });

  test('a dead token is refused, and the browser is told to forget its cookie', async () => {
    const { call } = await createTestApp();
    const answer = await call('GET', '/v1/me', { headers: { cookie: 'session=nobody-has-this-token' } });
    expect(answer.status).toBe(401);
    expect(String(answer.headers['set-cookie'])).toMatch(/^session=;/);
  });

  test('refresh_session gives a new token and ends the old one', async () => {
    const { call, person, clock } = await createTestApp();
    const { token, id } = await person();
    const renewed = await call<Session>('GET', '/v1/me', { token, query: { refresh_session: 'true' } });
    expect(renewed.body).toMatchObject({ id });
    expect(renewed.body.token).not.toBe(token);
    expect((await call('GET', '/v1/settings', { token })).status).toBe(401);
    expect((await call('GET', '/v1/settings', { token: renewed.body.token })).status).toBe(200);
    // Renewing is not living longer: a stolen token must end some day.
    const before = await call<Session>('GET', '/v1/me', { token: renewed.body.token });
    clock.advance(30 * day);
    const later = await call<Session>('GET', '/v1/me', { token: renewed.body.token, query: { refresh_session: '1' } });
    expect(later.body.expires_at).toBe(before.body.expires_at);
  });

  test('with an API key it tells whose key it is and gives no token', async () => {
    const { call, person } = await createTestApp();
    const { token, id } = await person();
    const { body } = await call<{ key: string; hint: string }>('POST', '/v1/me/api_keys', {
      token,
      body: { name: 'ci' },
    });
    const answer = await call<Session>('GET', '/v1/me', { apiKey: body.key });
    expect(answer.body).toMatchObject({ id, token: null, api_key: body.hint });
  });
});

describe('session lifetimes', () => {
  test('absolute: after 365 days the session times out, however much it was used', async () => {
    const { call, person, clock } = await createTestApp();
    const { token } = await person();
    for (let elapsed = 0; elapsed < sessionLife - day; elapsed += 30 * day) {
      clock.advance(30 * day);
      if (elapsed + 30 * day < sessionLife) expect((await call('GET', '/v1/settings', { token })).status).toBe(200);
    }
    clock.advance(30 * day);
    const over = await call('GET', '/v1/settings', { token });
    expect(over.status).toBe(401);
    expect(over.body.message).toBe('Session timeout');
  });

  test('idle: unused for long enough it times out sooner', async () => {
    const { call, person, clock } = await createTestApp();
    const { token } = await person();
    clock.advance(idleLife - 1);
    expect((await call('GET', '/v1/settings', { token })).status).toBe(200);
    clock.advance(idleLife);
    expect((await call('GET', '/v1/me', { token })).body.message).toBe('Session timeout');
  });

  test('session_continue goes on as a guest after a timeout', async () => {
    const { call, person, clock } = await createTestApp();
    const { token, id } = await person();
    clock.advance(sessionLife);
    const answer = await call<Session>('GET', '/v1/me', { token, query: { session_continue: 'true' } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ is_guest: true });
    expect(answer.body.id).not.toBe(id);
  });
});

describe('tokens', () => {
  test('have 256 random bits, and the database holds none of them', async () => {
    const { call, person, guest, database, deliveredMails, announcements } = await createTestApp();
    const ada = await person();
    const secrets = [ada.token, (await guest()).token, announcements[0]?.split('#token=')[1] ?? ''];
    const key = await call<{ key: string }>('POST', '/v1/me/api_keys', { token: ada.token, body: { name: 'k' } });
    const socket = await call<{ token: string }>('POST', '/v1/me/socket_token', { token: ada.token, body: {} });
    secrets.push(key.body.key, socket.body.token, testPassword);
    await call('POST', '/v1/sign_in/link', { body: { email: ada.email } });
    await call('POST', '/v1/password_reset', { body: { email: ada.email } });
    for (const mail of await deliveredMails()) secrets.push(/#token=([\w-]+)/.exec(mail.text)?.[1] ?? '');
    expect(secrets.length).toBe(9);
    expect(Buffer.from(ada.token, 'base64url').length).toBe(32);

    const tables = (await database.db.execute(
      sql`select tablename from pg_tables where schemaname = 'public'`,
    )) as unknown as { rows: { tablename: string }[] };
    let dump = '';
    for (const { tablename } of tables.rows) {
      const content = (await database.db.execute(
        sql`select row_to_json(t)::text as row from ${sql.identifier(tablename)} t`,
      )) as unknown as { rows: { row: string }[] };
      dump += content.rows.map(({ row }) => row).join('\n');
    }
    expect(dump).toContain('Ada');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15);
      expect(dump).not.toContain(secret);
    }
  });

  test('a new one comes with each sign-in, and the one that asked for it ends', async () => {
    const { call, person } = await createTestApp();
    const { token, email } = await person();
    const again = await call<Session>('POST', '/v1/sign_in', { token, body: { email, password: testPassword } });
    expect(again.body.token).not.toBe(token);
    expect((await call('GET', '/v1/settings', { token })).status).toBe(401);
    expect((await call('GET', '/v1/settings', { token: again.body.token })).status).toBe(200);
  });

  test('end with logging out, and with suspension', async () => {
    const { call, person, suspend } = await createTestApp();
    const leaving = await person();
    expect((await call('DELETE', '/v1/log_out', { token: leaving.token })).status).toBe(200);
    expect((await call('GET', '/v1/settings', { token: leaving.token })).status).toBe(401);
    const banned = await person();
    await suspend(banned.id, 'Unpaid bills.');
    const answer = await call('GET', '/v1/settings', { token: banned.token });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Unpaid bills.');
    const back = await call('POST', '/v1/sign_in', { body: { email: banned.email, password: testPassword } });
    expect(back.status).toBe(403);
  });
});

describe('my sessions', () => {
  test('are listed with where they are, and can be ended one by one', async () => {
    const { call, person } = await createTestApp();
    const { token, email } = await person();
    const phone = await call<Session>('POST', '/v1/sign_in', {
      body: { email, password: testPassword },
      headers: { 'user-agent': 'Phone' },
    });
    const { body } = await call<{ entries: OpenSession[]; total: number }>('GET', '/v1/me/sessions', { token });
    expect(body.total).toBe(2);
    const other = body.entries.find((entry) => !entry.is_current);
    expect(other).toMatchObject({ user_agent: 'Phone', permissions: ['session.end'] });
    expect((await call('DELETE', `/v1/me/sessions/${other?.id}`, { token })).status).toBe(200);
    expect((await call('GET', '/v1/settings', { token: phone.body.token })).status).toBe(401);
    expect((await call('DELETE', `/v1/me/sessions/${other?.id}`, { token })).status).toBe(404);
  });

  test("somebody else's session does not exist for me", async () => {
    const { call, person } = await createTestApp();
    const [ada, eve] = [await person(), await person()];
    const { body } = await call<{ entries: OpenSession[] }>('GET', '/v1/me/sessions', { token: ada.token });
    const answer = await call('DELETE', `/v1/me/sessions/${body.entries[0]?.id}`, { token: eve.token });
    expect(answer.status).toBe(404);
    expect((await call('GET', '/v1/settings', { token: ada.token })).status).toBe(200);
  });
});

describe('cookies', () => {
  test('over https the cookie is host-bound, secure, unreadable by scripts and same-site', async () => {
    const { call } = await createTestApp({ env: { ATOLL_URL: 'https://work.example.org' } });
    const { headers } = await call('GET', '/v1/me');
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}; Path=\/; Expires=.+; HttpOnly; Secure; SameSite=Lax$/);
  });

  test('is neither read nor set for a request that another site made', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    const cookie = `session=${token}`;
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await call('PATCH', '/v1/preferences', { headers: own, body: { language: 'de' } })).status).toBe(200);
    const foreign: Record<string, string>[] = [
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, 'sec-fetch-site': 'same-site' },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
    ];
    for (const headers of foreign) {
      expect((await call('PATCH', '/v1/preferences', { headers, body: { language: 'fr' } })).status).toBe(401);
      const me = await call<Session>('GET', '/v1/me', { headers });
      expect(me.body.is_guest).toBe(true);
      expect(me.headers['set-cookie']).toBeUndefined();
    }
    const kept = await call<{ language: string }>('GET', '/v1/preferences', { token });
    expect(kept.body.language).toBe('de');
  });
});

describe('guests who sign up', () => {
  test('keep what they made, and lose the guest token', async () => {
    const { call, guest } = await createTestApp();
    const visitor = await guest();
    await call('PATCH', '/v1/preferences', { token: visitor.token, body: { editor_font_size: 18 } });
    const account = await call<Session>('POST', '/v1/sign_up', {
      token: visitor.token,
      body: { email: 'new@example.org', password: testPassword, user_name: 'newcomer' },
    });
    expect(account.body).toMatchObject({ id: visitor.id, is_guest: false, guest_id: null, is_discoverable: true });
    const preferences = await call<{ editor_font_size: number }>('GET', '/v1/preferences', {
      token: account.body.token,
    });
    expect(preferences.body.editor_font_size).toBe(18);
    expect((await call('GET', '/v1/preferences', { token: visitor.token })).status).toBe(401);
  });

  test("cannot claim another guest's work by naming its id", async () => {
    const { call, guest } = await createTestApp();
    const victim = await guest();
    const body = { email: 'thief@example.org', password: testPassword, user_name: 'thief' };
    expect((await call('POST', '/v1/sign_up', { body: { ...body, guest_id: victim.guest_id } })).status).toBe(422);
    const thief = await call<Session>('POST', '/v1/sign_up', { body });
    expect(thief.body.id).not.toBe(victim.id);
    expect((await call<Session>('GET', '/v1/me', { token: victim.token })).body).toMatchObject({
      id: victim.id,
      is_guest: true,
    });
  });
});

describe('sensitive acts', () => {
  test('need a sign-in within the last two hours; a new one helps', async () => {
    const { call, person, clock } = await createTestApp();
    const { token, email } = await person();
    clock.advance(recentLife);
    const acts: [string, string, object][] = [
      ['POST', '/v1/me/api_keys', { name: 'k' }],
      ['PATCH', '/v1/settings/credentials', { email: 'other@example.org' }],
      ['POST', '/v1/me/passkeys/options', {}],
    ];
    for (const [method, path, body] of acts) {
      const refused = await call(method, path, { token, body });
      expect(refused.status).toBe(403);
      expect(refused.body.details.reason).toBe('reauthentication_required');
    }
    const fresh = await call<Session>('POST', '/v1/sign_in', { token, body: { email, password: testPassword } });
    expect((await call('POST', '/v1/me/api_keys', { token: fresh.body.token, body: { name: 'k' } })).status).toBe(200);
  });
});

test('calls without a body work where nothing is needed', async () => {
  const { call, person } = await createTestApp();
  const { token } = await person();
  expect((await call('POST', '/v1/me/socket_token', { token })).status).toBe(200);
  expect((await call('POST', '/v1/email_confirmation', { token })).status).toBe(200);
  expect((await call('DELETE', '/v1/log_out', { token })).status).toBe(200);
});
