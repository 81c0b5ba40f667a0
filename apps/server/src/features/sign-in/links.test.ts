import type { Session } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp, tokenIn } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { signInFeature } from './index.ts';
import { oneTimeTokens } from './table.ts';

const minute = 60_000;
const over = { status: 410, body: { code: 'gone' } };

interface Redeemed {
  session: Session & { token: string };
  return_to: string | null;
}

async function mailedLink(app: TestApp, more: object = {}): Promise<string> {
  const answer = await app.call('POST', '/v1/sign_in/link', { body: { email: 'ada@example.org', ...more } });
  expect(answer).toMatchObject({ status: 200, body: { ok: true } });
  return tokenIn((await app.deliveredMails()).at(-1));
}

const redeem = ({ call }: TestApp, token: string, session?: string) =>
  call<Redeemed>('POST', '/v1/sign_in/link/redeem', { body: { token }, token: session });

test('a mailed link signs in once, confirms the address and leads back', async () => {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const token = await mailedLink(app, { return_to: '/projects/1' });
  const signedIn = await redeem(app, token);
  expect(signedIn).toMatchObject({
    status: 200,
    body: { return_to: '/projects/1', session: { id: ada.id, is_email_confirmed: true } },
  });
  expect(await app.call('GET', '/v1/me', { token: signedIn.body.session.token })).toMatchObject({ status: 200 });
  const again = await redeem(app, token);
  expect(again).toMatchObject(over);
  expect(again.headers['set-cookie']).toBeUndefined();
});

test('of two uses at once, one signs in', async () => {
  const app = await createTestApp();
  await app.person('ada');
  const token = await mailedLink(app);
  const both = await Promise.all([redeem(app, token), redeem(app, token)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
});

test('a link lives fifteen minutes', async () => {
  const app = await createTestApp();
  await app.person('ada');
  const late = await mailedLink(app);
  app.clock.advance(15 * minute);
  expect(await redeem(app, late)).toMatchObject(over);
  const inTime = await mailedLink(app);
  app.clock.advance(15 * minute - 1);
  expect(await redeem(app, inTime)).toMatchObject({ status: 200 });
});

test('the database holds no token, and a made-up one opens nothing', async () => {
  const app = await createTestApp();
  await app.person('ada');
  const token = await mailedLink(app);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await app.database.db.select().from(oneTimeTokens))).not.toContain(token);
  expect(await redeem(app, 'A'.repeat(43))).toMatchObject(over);
});

test('an unknown address answers the same, and gets no mail', async () => {
  const app = await createTestApp();
  await app.person('ada');
  const before = (await app.deliveredMails()).length;
  for (const path of ['/v1/sign_in/link', '/v1/password_reset']) {
    const known = await app.call('POST', path, { body: { email: 'ada@example.org' } });
    const unknown = await app.call('POST', path, { body: { email: 'nobody@example.org' } });
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
  }
  const sent = (await app.deliveredMails()).slice(before);
  expect(sent.map(({ to }) => to)).toEqual(['ada@example.org', 'ada@example.org']);
});

test('a suspended person gets no link, and one sent before opens nothing', async () => {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const token = await mailedLink(app);
  await app.database.db
    .update(users)
    .set({ suspendedAt: new Date(app.clock.time) })
    .where(eq(users.id, ada.id));
  const before = (await app.deliveredMails()).length;
  const asked = await app.call('POST', '/v1/sign_in/link', { body: { email: 'ada@example.org' } });
  expect(asked).toMatchObject({ status: 200, body: { ok: true } });
  expect(await app.deliveredMails()).toHaveLength(before);
  const refused = await redeem(app, token);
  expect(refused).toMatchObject({ status: 403, body: { message: 'This account is suspended.' } });
  expect(refused.headers['set-cookie']).toBeUndefined();
});

test('a guest who signs in by link hands over what they made', async () => {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const guest = await app.guest();
  const signedIn = await redeem(app, await mailedLink(app), guest.token);
  expect(signedIn).toMatchObject({ status: 200, body: { session: { id: ada.id } } });
  expect(await app.call('GET', '/v1/me', { token: guest.token })).toMatchObject({ status: 401 });
});

test('an address is confirmed by its own link, once', async () => {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const token = tokenIn((await app.deliveredMails()).at(-1));
  const confirm = (value: string, session: string | null = ada.token) =>
    app.call('POST', '/v1/email_confirmation/redeem', { token: session, body: { token: value } });
  // The owner of an address must not confirm by a click what a stranger set up with it.
  expect(await confirm(token, null)).toMatchObject({ status: 403 });
  expect(await confirm(token, (await app.guest()).token)).toMatchObject({ status: 403 });
  expect(await confirm(token)).toMatchObject({ status: 200, body: { email: 'ada@example.org' } });
  const me = await app.call<Session>('GET', '/v1/me', { token: ada.token });
  expect(me.body.is_email_confirmed).toBe(true);
  expect(await confirm(token)).toMatchObject(over);
  const again = await app.call('POST', '/v1/email_confirmation', { token: ada.token });
  expect(again).toMatchObject({ status: 409 });
});

test('a confirmation can be asked for again, and lives a week', async () => {
  const app = await createTestApp();
  const ada = await app.person('ada');
  const asked = await app.call('POST', '/v1/email_confirmation', { token: ada.token, body: {} });
  expect(asked.status).toBe(200);
  const token = tokenIn((await app.deliveredMails()).at(-1));
  app.clock.advance(7 * 24 * 60 * minute);
  const late = await app.call('POST', '/v1/email_confirmation/redeem', { body: { token } });
  expect(late).toMatchObject(over);
  const guest = await app.guest();
  expect(await app.call('POST', '/v1/email_confirmation', { token: guest.token, body: {} })).toMatchObject({
    status: 403,
  });
});

test('links that have run out are swept, the others stay', async () => {
  const app = await createTestApp();
  await app.person('ada');
  await mailedLink(app);
  const purposes = async () => {
    await signInFeature.sweep?.(app.app.system());
    const rows = await app.database.db.select().from(oneTimeTokens);
    return rows.map(({ email, purpose }) => (email ? purpose : 'admin link')).sort();
  };
  expect(await purposes()).toEqual(['admin link', 'email_confirmation', 'sign_in_link']);
  app.clock.advance(15 * minute + 1);
  expect(await purposes()).toEqual(['admin link', 'email_confirmation']);
});
