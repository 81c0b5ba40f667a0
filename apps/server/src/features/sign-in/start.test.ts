import { expect, test } from 'vitest';
import { createContext } from '../../platform/context.ts';
import { createTestApp, testPassword } from '../../test/test-app.ts';
import { startSignIn } from './start.ts';

const startAgain = async (app: Awaited<ReturnType<typeof createTestApp>>, admin = {}) => {
  const before = app.announcements.length;
  const ctx = app.app.system();
  const config = { ...ctx.config, admin: { email: null, password: null, ...admin } };
  await startSignIn(createContext({ ...ctx, config }, ctx));
  return app.announcements.slice(before);
};

test('a link is printed at each start until the admin has a way in of their own', async () => {
  const app = await createTestApp();
  const { token } = await app.admin();
  await app.call('DELETE', '/v1/log_out', { token });
  const [again] = await startAgain(app);
  const back = await app.call<{ session: { token: string } }>('POST', '/v1/sign_in/link/redeem', {
    body: { token: again?.split('#token=')[1] },
  });
  const credentials = { email: 'admin@example.org', password: testPassword };
  await app.call('PATCH', '/v1/settings/credentials', { token: back.body.session.token, body: credentials });
  expect(await startAgain(app)).toEqual([]);
});

test('an address and a password configured later are the way in', async () => {
  const app = await createTestApp();
  const configured = { email: 'boss@example.org', password: 'configured later' };
  expect(await startAgain(app, configured)).toEqual([]);
  expect((await app.call('POST', '/v1/sign_in', { body: configured })).status).toBe(200);
});
