import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createTestApp, testPassword } from '../../test/test-app.ts';
import { createLogOptions, withoutParameters } from '../log.ts';
import { bindContract } from './binder.ts';
import { limitClasses } from './limits.ts';

describe('the request path', () => {
  test('every answer has a request id, and errors name it', async () => {
    const { call } = await createTestApp();
    const { headers, body } = await call('GET', '/v1/settings');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.details.request_id).toBe(headers['x-request-id']);
  });

  test('the answers of the API are not cached, not sniffed and not readable by other sites', async () => {
    const { call } = await createTestApp();
    const { headers } = await call('GET', '/v1/theme');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('answers only under its configured names, whatever site the page claims', async () => {
    const { call } = await createTestApp({ env: { ATOLL_URL: 'https://atoll.example', ATOLL_HOSTS: 'lab.example' } });
    const status = async (host: string) =>
      (await call('GET', '/v1/theme', { headers: { host, 'sec-fetch-site': 'same-origin' } })).status;
    for (const host of ['atoll.example', 'lab.example:8080', 'localhost:4000', '127.0.0.1', '[::1]:4000']) {
      expect(await status(host)).toBe(200);
    }
    for (const host of ['rebound.example:4000', 'atoll.example.evil', 'not a host'])
      expect(await status(host)).toBe(421);
    const probe = await call('GET', '/live', { headers: { host: '10.2.3.4:4000' } });
    expect(probe.status).toBe(200);
  });

  test('reports when it is live and when it is ready', async () => {
    const { call } = await createTestApp();
    expect((await call('GET', '/live')).body).toEqual({ status: 'live' });
    expect((await call('GET', '/ready')).body).toEqual({ status: 'ready' });
  });

  test('status names the build; config has every integration off', async () => {
    const { call } = await createTestApp({ env: { ATOLL_COMMIT: 'abcdef0123456789', ATOLL_TAG: 'v1' } });
    const status = await call<{ commit: string | null; short: string | null }>('GET', '/v1/status');
    expect(status.body.short).toBe(status.body.commit?.slice(0, 7));
    const config = await call<{ integrations: Record<string, { enabled: boolean }> }>('GET', '/v1/config');
    expect(Object.keys(config.body.integrations)).toEqual([
      'identity_service',
      'github',
      'slack',
      'exchanges',
      'unbounded',
      'sentry',
      'telegram',
    ]);
    expect(Object.values(config.body.integrations).some(({ enabled }) => enabled)).toBe(false);
  });

  test('too many sign-ins from one address answer 429 with Retry-After, and then work again', async () => {
    const { call } = await createTestApp({ strictLimits: true });
    let tried = 0;
    const attempt = () =>
      call('POST', '/v1/sign_in', { body: { email: `a${tried++}@example.org`, password: 'wrong password' } });
    const statuses = new Set<number>();
    for (let count = 0; count < limitClasses.sign_in.points; count++) statuses.add((await attempt()).status);
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ code: 'too_many_requests', details: { retry_after: expect.any(Number) } });
    expect(statuses).toContain(401);
    // A fresh guest does not get a fresh allowance.
    const guest = await call<{ token: string }>('GET', '/v1/me');
    const again = await call('POST', '/v1/sign_in', {
      token: guest.body.token,
      body: { email: 'a@example.org', password: 'x' },
    });
    expect(again.status).toBe(429);
  });

  test('behind one proxy, an address that the client made up does not help', async () => {
    const { call } = await createTestApp({ strictLimits: true, env: { ATOLL_TRUST_PROXY: '1' } });
    const statuses: number[] = [];
    for (let count = 0; count <= limitClasses.sign_in.points; count++) {
      const headers = { 'x-forwarded-for': `10.0.${count}.1, 203.0.113.9` };
      const body = { email: `a${count}@example.org`, password: 'wrong password' };
      statuses.push((await call('POST', '/v1/sign_in', { headers, body })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const elsewhere = { 'x-forwarded-for': '203.0.113.10' };
    const other = await call('POST', '/v1/sign_in', {
      headers: elsewhere,
      body: { email: 'b@example.org', password: 'x' },
    });
    expect(other.status).toBe(401);
  });

  test('boot fails when an endpoint has no rule for its permission', async () => {
    const { app } = await createTestApp();
    const { policy, ...services } = app.system();
    const { 'theme.edit': _missing, ...incomplete } = policy;
    const bind = () =>
      bindContract(app.http, {
        services: { ...services, policy: incomplete },
        router: {},
        features: [],
        authenticate: () => Promise.reject(new Error('unused')),
      });
    expect(bind).toThrow(/PATCH \/v1\/admin\/theme has no rule for its permission \(theme.edit\)/);
  });

  test('a forgotten row check prevents the commit', async () => {
    const { app } = await createTestApp();
    const ctx = app.system();
    ctx.pendingRowCheck = 'api_key.revoke';
    await expect(ctx.write(({ emit }) => emit('theme.updated', {}))).rejects.toThrow('never made');
  });
});

describe('the log', () => {
  test('shows a failed query without its data', () => {
    const failed = Object.assign(new Error('Failed query: insert … params: secret@example.org'), {
      query: '',
      params: ['secret@example.org'],
      cause: new Error('duplicate key'),
    });
    expect(JSON.stringify(withoutParameters(failed), ['message', 'stack'])).not.toContain('secret@example.org');
    expect(withoutParameters(failed).message).toBe('A query failed: duplicate key');
  });

  test('holds no secrets in any logged value', async () => {
    let written = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        written += chunk;
        done();
      },
    });
    const log = pino(createLogOptions('trace'), sink);
    const { call, person } = await createTestApp({ log });
    const { token, email } = await person();
    await call('POST', '/v1/sign_in', {
      body: { email, password: 'a wrong password' },
      headers: { 'x-api-key': 'ak_secretsecret' },
    });
    await call('GET', '/v1/me', { token, query: { idm_token: 'outside-secret-token' } });
    await call('GET', '/v1/nowhere', { token, headers: { cookie: 'session=cookie-secret' } });
    log.error({ token, password: testPassword, nested: { secret: 'deep-secret' } }, 'by mistake');
    expect(written).toContain('"path":"/api/atoll/v1/me"');
    expect(written).toContain('[hidden]');
    for (const secret of [
      token,
      testPassword,
      'a wrong password',
      'ak_secretsecret',
      'outside-secret-token',
      'cookie-secret',
      'deep-secret',
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});

test('an unexpected error reveals no internals to the caller', async () => {
  const { app, call, database } = await createTestApp();
  const { token } = (await call<{ token: string }>('GET', '/v1/me')).body;
  await database.db.execute('drop table sessions cascade');
  const answer = await call('GET', '/v1/preferences', { token });
  expect(answer.status).toBe(500);
  expect(answer.body).toMatchObject({
    message: 'Something went wrong on our end.',
    code: 'internal_server_error',
    fields: {},
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/sessions|select|\.ts|node_modules/);
  expect(app.http.server).toBeDefined();
});
