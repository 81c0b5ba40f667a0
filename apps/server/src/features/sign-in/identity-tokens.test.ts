import type { Session } from '@atoll/contract';
import { type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { expectStillGuest } from './test/test-oauth.ts';
import { startOidcProvider } from './test/test-oidc-provider.ts';

const failed = { status: 401, body: { message: 'Authentication failed' } };
const me = ({ call }: TestApp, query: Record<string, string>, token: string | null = null) =>
  call<Session>('GET', '/v1/me', { query, token });

async function setUp() {
  const [idm, organitz] = [await startOidcProvider(), await startOidcProvider()];
  const app = await createTestApp({
    env: {
      IDM_URL: idm.issuer,
      IDM_AUDIENCE: 'atoll',
      ORGANITZ_URL: organitz.issuer,
      ORGANITZ_AUDIENCE: 'atoll-organization',
      ATOLL_SIGN_UP: 'off',
    },
  });
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    iss: idm.issuer,
    aud: 'atoll',
    sub: 'employee-7',
    exp: app.clock.time / 1000 + 300,
    email: 'ada@example.org',
    email_verified: true,
    given_name: 'Ada',
    family_name: 'Lovelace',
    preferred_username: 'ada@corp.example.org',
    ...more,
  });
  return { idm, organitz, app, claims };
}

test('a token of the identity service signs its person in, and makes the account even where sign-up is closed', async () => {
  const { idm, app, claims } = await setUp();
  const idm_token = await idm.sign(claims());
  const first = await me(app, { idm_token, referral_code: 'FRIEND1234', user_source: 'intranet' });
  expect(first).toMatchObject({
    status: 200,
    body: {
      is_guest: false,
      user_name: 'ada',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.org',
      is_email_confirmed: true,
      is_managed_by_identity_manager: true,
      is_managed_by_organization: false,
      referral: 'FRIEND1234',
      token: expect.any(String),
    },
  });
  const second = await me(app, { idm_token });
  expect(second).toMatchObject({ status: 200, body: { id: first.body.id } });
  // What is known of the issuer is kept: two sign-ins, one question each.
  expect(idm.requests.filter((path) => path === '/.well-known/openid-configuration')).toHaveLength(1);
  expect(idm.requests.filter((path) => path === '/jwks')).toHaveLength(1);
});

test("the organization's token is a way in of its own", async () => {
  const { organitz, app, claims } = await setUp();
  const token = await organitz.sign(claims({ iss: organitz.issuer, aud: 'atoll-organization' }));
  expect(await me(app, { organitz_token: token })).toMatchObject({
    status: 200,
    body: { is_managed_by_organization: true, is_managed_by_identity_manager: false },
  });
  expect(await me(app, { idm_token: token })).toMatchObject(failed);
});

test('a token that is not right opens nothing', async () => {
  const { idm, organitz, app, claims } = await setUp();
  const guest = await app.guest();
  const seconds = app.clock.time / 1000;
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const shared = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'own' });
  const right = await idm.sign(claims());
  const [head = '', , signature = ''] = right.split('.');
  idm.changeTokens((same) => same, 'strangers key');
  const strangers = await idm.sign(claims());
  idm.changeTokens((same) => same);
  const wrong = {
    'another audience': await idm.sign(claims({ aud: 'somebody-else' })),
    'no audience': await idm.sign(claims({ aud: undefined })),
    'another issuer': await idm.sign(claims({ iss: organitz.issuer })),
    'run out': await idm.sign(claims({ exp: seconds - 31 })),
    'no end': await idm.sign(claims({ exp: undefined })),
    'not yet': await idm.sign(claims({ nbf: seconds + 300 })),
    'no subject': await idm.sign(claims({ sub: undefined })),
    'an empty subject': await idm.sign(claims({ sub: '' })),
    "a stranger's key": strangers,
    'a shared secret': await shared.sign(new TextEncoder().encode('x'.repeat(32))),
    'no signature': `${base64({ alg: 'none' })}.${base64(claims())}.`,
    'changed claims': `${head}.${base64(claims({ sub: 'admin' }))}.${signature}`,
    nonsense: 'nonsense',
    nothing: '',
  };
  for (const [name, idm_token] of Object.entries(wrong)) {
    const refused = await me(app, { idm_token }, guest.token);
    expect(refused, name).toMatchObject(failed);
    expect(refused.headers['set-cookie'], name).toBeUndefined();
  }
  await expectStillGuest(app, guest);
  expect(await me(app, { idm_token: right }, guest.token)).toMatchObject({ status: 200, body: { id: guest.id } });
});

test('an account that has the address already is not taken over without proof', async () => {
  const { idm, app, claims } = await setUp();
  const admin = await app.admin();
  const token = admin.token;
  await app.call('PATCH', '/v1/settings/credentials', { token, body: { email: 'ada@example.org' } });
  const refused = await me(app, { idm_token: await idm.sign(claims()) });
  expect(refused).toMatchObject({ status: 409 });
});

test('without issuers, the tokens are switched off', async () => {
  const app = await createTestApp();
  for (const name of ['idm_token', 'organitz_token']) {
    expect(await me(app, { [name]: 'x' })).toMatchObject({
      status: 403,
      body: { details: { reason: 'disabled_in_configuration' } },
    });
  }
});

test('an issuer that cannot be reached is a bad gateway, not a wrong token', async () => {
  const app = await createTestApp({ env: { IDM_URL: 'http://127.0.0.1:1', IDM_AUDIENCE: 'atoll' } });
  expect(await me(app, { idm_token: 'x' })).toMatchObject({ status: 502, body: { code: 'bad_gateway' } });
});
