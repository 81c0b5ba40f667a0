import type { Session } from '@atoll/contract';
import { expect, test } from 'vitest';
import { createTestApp, testPassword } from '../../test/test-app.ts';

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
