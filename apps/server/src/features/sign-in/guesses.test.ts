import { expect, test } from 'vitest';
import { attemptRules } from '../../platform/http/attempts.ts';
import { createTestApp, testPassword } from '../../test/test-app.ts';

async function setUp() {
  const app = await createTestApp({ strictLimits: true, env: { ATOLL_TRUST_PROXY: '1' } });
  await app.person('ada');
  const signIn = (password: string, from: string, device?: string) =>
    app.call('POST', '/v1/sign_in', {
      headers: { 'x-forwarded-for': from, ...(device && { cookie: `device=${device}` }) },
      body: { email: 'Ada@example.org', password },
    });
  return { ...app, signIn };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['signIn']>>;
const deviceIn = ({ headers }: Answer) => /(?:^|,)device=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
const waitOf = ({ body }: Answer) => Number(body.details.retry_after);

test('guesses from one address wait longer each time, and the right password works after the wait', async () => {
  const { signIn, clock } = await setUp();
  for (let count = 0; count < attemptRules.address.free; count++) {
    expect((await signIn('wrong', '203.0.113.9')).status).toBe(401);
  }
  const waits: number[] = [];
  for (let count = 0; count < 4; count++) {
    const refused = await signIn('wrong', '203.0.113.9');
    expect(refused.status).toBe(429);
    waits.push(waitOf(refused));
    clock.advance(waitOf(refused) * 1_000);
    expect((await signIn('wrong', '203.0.113.9')).status).toBe(401);
  }
  expect(waits).toEqual([1, 2, 4, 8]);
  expect((await signIn(testPassword, '203.0.113.10')).status).toBe(200);
  clock.advance(16_000);
  expect((await signIn(testPassword, '203.0.113.9')).status).toBe(200);
  expect((await signIn('wrong', '203.0.113.9')).status).toBe(401);
});

test('guesses from everywhere do not lock the owner out on a device they have used', async () => {
  const { signIn, clock } = await setUp();
  const device = deviceIn(await signIn(testPassword, '198.51.100.1'));
  for (let count = 0; count < attemptRules.account.free; count++) await signIn('wrong', `203.0.113.${count}`);
  expect((await signIn(testPassword, '192.0.2.7')).status).toBe(429);
  expect(
    (await signIn(testPassword, '192.0.2.7', `${device.slice(0, -1)}${device.endsWith('A') ? 'B' : 'A'}`)).status,
  ).toBe(429);
  expect((await signIn(testPassword, '192.0.2.7', device)).status).toBe(200);
  for (let count = 0; count <= attemptRules.device.free; count++) await signIn('wrong', '192.0.2.7', device);
  const refused = await signIn(testPassword, '192.0.2.7', device);
  expect(refused.status).toBe(429);
  expect(waitOf(refused)).toBeLessThanOrEqual(30);
  clock.advance(30_000);
  expect((await signIn(testPassword, '192.0.2.7', device)).status).toBe(200);
});

test('a device is known for the people who signed in on it, and for no one else', async () => {
  const { signIn, call, person } = await setUp();
  await person('grace');
  const device = deviceIn(await signIn(testPassword, '198.51.100.1'));
  const headers = { 'x-forwarded-for': '198.51.100.1', cookie: `device=${device}` };
  const guess = () => call('POST', '/v1/sign_in', { headers, body: { email: 'grace@example.org', password: 'wrong' } });
  for (let count = 0; count < attemptRules.address.free; count++) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
  const both = await call('POST', '/v1/sign_in', {
    headers: { ...headers, 'x-forwarded-for': '198.51.100.2' },
    body: { email: 'grace@example.org', password: testPassword },
  });
  expect(deviceIn(both).split('.')).toHaveLength(3);
  expect((await signIn(testPassword, '198.51.100.3', deviceIn(both))).status).toBe(200);
});
