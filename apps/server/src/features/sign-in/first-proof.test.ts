import type { Session } from '@atoll/contract';
import { expect, test } from 'vitest';
import { createTestApp, testPassword, tokenIn } from '../../test/test-app.ts';

async function squatted() {
  const app = await createTestApp();
  const squatter = await app.person('squatter');
  const key = await app.post<{ key: string }>(squatter.token, '/v1/me/api_keys', { name: 'k' });
  return { app, squatter, key: key.body.key };
}

test.each(['link', 'reset'])(
  'the first proof of an address, by %s, ends what a stranger set up with it',
  async (way) => {
    const { app, squatter, key } = await squatted();
    const path = way === 'link' ? '/v1/sign_in/link' : '/v1/password_reset';
    await app.call('POST', path, { body: { email: squatter.email } });
    const token = tokenIn((await app.deliveredMails()).at(-1));
    const owner =
      way === 'link'
        ? await app.call<{ session: Session }>('POST', `${path}/redeem`, { body: { token } })
        : await app.call<Session>('POST', `${path}/redeem`, { body: { token, password: 'the password of the owner' } });
    expect(owner.status).toBe(200);
    expect((await app.call('GET', '/v1/settings', { token: squatter.token })).status).toBe(401);
    expect((await app.call('GET', '/v1/settings', { apiKey: key })).status).toBe(401);
    const back = await app.call('POST', '/v1/sign_in', { body: { email: squatter.email, password: testPassword } });
    expect(back.status).toBe(401);
  },
);

test('later links leave a confirmed person everything', async () => {
  const { app, squatter: ada, key } = await squatted();
  const confirm = tokenIn((await app.deliveredMails())[0]);
  await app.call('POST', '/v1/email_confirmation/redeem', { token: ada.token, body: { token: confirm } });
  await app.call('POST', '/v1/sign_in/link', { body: { email: ada.email } });
  const token = tokenIn((await app.deliveredMails()).at(-1));
  expect((await app.call('POST', '/v1/sign_in/link/redeem', { body: { token } })).status).toBe(200);
  expect((await app.call('GET', '/v1/settings', { token: ada.token })).status).toBe(200);
  expect((await app.call('GET', '/v1/settings', { apiKey: key })).status).toBe(200);
  expect((await app.call('POST', '/v1/sign_in', { body: { email: ada.email, password: testPassword } })).status).toBe(
    200,
  );
});
