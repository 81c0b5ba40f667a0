import type { Session } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { begin, expectStillGuest, finish } from './test/test-oauth.ts';
import { startOidcProvider } from './test/test-oidc-provider.ts';
import { startTestServer } from './test/test-server.ts';

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, name: 'Ada King Lovelace' };

/** Issuers differ in where they tell an address and how they take the client's secret. */
const variants = {
  google: { hasClaimsInToken: true, secretIn: 'client_secret_post' },
  microsoft: { hasClaimsInToken: true, secretIn: 'client_secret_basic' },
  oidc: { hasClaimsInToken: false, secretIn: 'client_secret_basic' },
} as const;

type Name = keyof typeof variants;

/** A guest who goes to a provider and comes back as somebody. */
async function setUp(name: Name, options?: Parameters<typeof startOidcProvider>[0]) {
  const provider = await startOidcProvider(options);
  const app = await createTestApp({ env: provider.env(name) });
  const guest = await app.guest();
  const arrive = async (account: typeof ada, { token } = guest, more: object = {}) => {
    const { authorization_url } = await begin(app, token, name, more);
    return finish(app, token, name, await provider.answer(authorization_url, account));
  };
  return { provider, app, guest, arrive };
}

describe.each(['google', 'microsoft', 'oidc'] as const)('%s', (name) => {
  test('signs a guest in: the guest becomes the account, and the guest token ends', async () => {
    const { app, guest, arrive } = await setUp(name, variants[name]);
    const finished = await arrive(ada, guest, { return_to: '/projects?page=2' });
    expect(finished).toMatchObject({
      status: 200,
      body: {
        return_to: '/projects?page=2',
        session: {
          id: guest.id,
          is_guest: false,
          email: 'ada@example.org',
          is_email_confirmed: name !== 'microsoft',
          first_name: 'Ada',
          last_name: 'King Lovelace',
          user_name: 'ada',
          has_password: false,
        },
      },
    });
    const { token } = finished.body.session;
    expect(await app.call<Session>('GET', '/v1/me', { token })).toMatchObject({ status: 200, body: { id: guest.id } });
    expect(await app.call('GET', '/v1/me', { token: guest.token })).toMatchObject({
      status: 401,
      body: { message: 'Authentication failed' },
    });
  });

  test('signs the same person in to the same account later', async () => {
    const { app, arrive } = await setUp(name);
    const first = await arrive(ada);
    // Another address at the provider does not make another person.
    const second = await arrive({ ...ada, email: 'ada.king@example.org' }, await app.guest());
    expect(second).toMatchObject({ status: 200, body: { session: { id: first.body.session.id } } });
    expect(second.body.session.email).toBe('ada@example.org');
  });
});

test('asks with a code challenge, a nonce and a redirect address of its own for each provider', async () => {
  const provider = await startOidcProvider();
  const app = await createTestApp({ env: { ...provider.env('google'), ...provider.env('oidc') } });
  const { token } = await app.guest();
  const google = new URL((await begin(app, token, 'google')).authorization_url).searchParams;
  const oidc = new URL((await begin(app, token, 'oidc')).authorization_url).searchParams;
  expect(Object.fromEntries(google)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: 'http://localhost:4000/auth/google',
  });
  expect(oidc.get('redirect_uri')).toBe('http://localhost:4000/auth/oidc');
  for (const part of ['state', 'nonce', 'code_challenge']) {
    expect(google.get(part)).toMatch(/^[\w-]{43}$/);
    expect(google.get(part)).not.toBe(oidc.get(part));
  }
});

const wrongClaims = {
  'another nonce': { nonce: 'x'.repeat(43) },
  'no nonce': { nonce: undefined },
  'another audience': { aud: 'somebody-else' },
  'another issuer': { iss: 'https://accounts.example.org' },
  'run out': { exp: 1_000_000_000 },
  'no subject': { sub: undefined },
  'a subject the database cannot hold': { sub: 'a\0b' },
};

test('an ID token with a wrong claim, or signed by a stranger, opens nothing', async () => {
  const { provider, app, guest, arrive } = await setUp('google', { hasClaimsInToken: true });
  for (const [name, claims] of Object.entries(wrongClaims)) {
    provider.changeTokens((right) => ({ ...right, ...claims }));
    const finished = await arrive(ada);
    expect(finished, name).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
    expect(finished.headers['set-cookie'], name).toBeUndefined();
  }
  provider.changeTokens((right) => right, 'strangers key');
  expect(await arrive(ada)).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
  await expectStillGuest(app, guest);
  // The same path, with nothing changed, is open: it was the change that was refused each time.
  provider.changeTokens((right) => right);
  expect(await arrive(ada)).toMatchObject({ status: 200 });
});

test.each(['code_challenge', 'nonce'])('a changed %s on the way there is noticed on the way back', async (part) => {
  const { provider, app, guest } = await setUp('oidc');
  const url = new URL((await begin(app, guest.token, 'oidc')).authorization_url);
  url.searchParams.set(part, 'B'.repeat(43));
  const finished = await finish(app, guest.token, 'oidc', await provider.answer(url.href, ada));
  expect(finished).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
  await expectStillGuest(app, guest);
});

test('an answer that names another issuer, or none, opens nothing', async () => {
  const { provider, app, guest } = await setUp('oidc');
  for (const iss of ['https://evil.example.org', undefined]) {
    const { authorization_url } = await begin(app, guest.token, 'oidc');
    const answer = await provider.answer(authorization_url, ada);
    const finished = await finish(app, guest.token, 'oidc', { ...answer, iss });
    expect(finished).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
  }
  await expectStillGuest(app, guest);
});

test('a made-up code opens nothing', async () => {
  const { provider, app, guest } = await setUp('oidc');
  const { state } = await begin(app, guest.token, 'oidc');
  const finished = await finish(app, guest.token, 'oidc', { state, code: 'made-up', iss: provider.issuer });
  expect(finished).toMatchObject({ status: 401, body: { message: 'Authentication failed' } });
  await expectStillGuest(app, guest);
});

test('a provider that cannot be reached answers 502, and works once it is back', async () => {
  let isUp = false;
  const issuer = await startTestServer((url) => (_request, response) => {
    response.writeHead(isUp ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issuer: url, authorization_endpoint: `${url}/authorize` }));
  });
  const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  const app = await createTestApp({ env });
  const { token } = await app.guest();
  const ask = () => app.call('POST', '/v1/me/oauthstate', { token, body: { reason: 'sign_in', provider: 'oidc' } });
  expect(await ask()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } });
  isUp = true;
  expect(await ask()).toMatchObject({ status: 200 });
});

test('an issuer whose name ends in a slash is found', async () => {
  const server = await startTestServer((url) => (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issuer: `${url}/app/`, authorization_endpoint: `${url}/authorize` }));
  });
  const env = { OIDC_ISSUER: `${server}/app/`, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  const app = await createTestApp({ env });
  const { token } = await app.guest();
  expect((await begin(app, token, 'oidc')).authorization_url).toContain(`${server}/authorize?`);
});

test('a provider that breaks down between the two steps answers 502', async () => {
  const issuer = await startTestServer((url) => (request, response) => {
    const isKnown = request.url?.startsWith('/.well-known/');
    response.writeHead(isKnown ? 200 : 500, { 'content-type': 'application/json' });
    const metadata = { issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
    response.end(JSON.stringify(isKnown ? metadata : {}));
  });
  const app = await createTestApp({ env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' } });
  const guest = await app.guest();
  const { state } = await begin(app, guest.token, 'oidc');
  const finished = await finish(app, guest.token, 'oidc', { state, code: 'code' });
  expect(finished).toMatchObject({ status: 502, body: { code: 'bad_gateway' } });
  await expectStillGuest(app, guest);
});

test('plain http is for providers on this machine only', async () => {
  let asked = 0;
  const server = await startTestServer((url) => (_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    const issuer = url.replace('127.0.0.1', '0.0.0.0');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${url}/authorize` }));
  });
  // This address leads to the same server, but is not one that can only be this machine.
  const OIDC_ISSUER = server.replace('127.0.0.1', '0.0.0.0');
  expect((await fetch(OIDC_ISSUER)).status).toBe(200);
  const app = await createTestApp({ env: { OIDC_ISSUER, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' } });
  const { token } = await app.guest();
  const body = { reason: 'sign_in', provider: 'oidc' };
  expect(await app.call('POST', '/v1/me/oauthstate', { token, body })).toMatchObject({ status: 502 });
  expect(asked).toBe(1);
});

test('a provider that is not set up is refused', async () => {
  const app = await createTestApp();
  const { token } = await app.guest();
  for (const provider of ['github', 'google', 'microsoft', 'oidc'] as const) {
    const body = { reason: 'sign_in', provider };
    const begun = await app.call('POST', '/v1/me/oauthstate', { token, body });
    expect(begun).toMatchObject({ status: 403, body: { details: { reason: 'disabled_in_configuration' } } });
    const finished = await finish(app, token, provider, { state: 'x', code: 'y' });
    expect(finished).toMatchObject({ status: 403, body: { details: { reason: 'disabled_in_configuration' } } });
  }
  const unknown = await app.call('POST', '/v1/me/oauthstate', { token, body: { reason: 'a', provider: 'myspace' } });
  expect(unknown.status).toBe(422);
});
