import type { ReferralDashboard, ReferredPerson, Session, Subscription } from '@atoll/contract';
import { referralFields } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, testPassword, tokenIn } from '../../test/test-app.ts';
import { planByName } from '../plans/service/plans.ts';
import { updateSettings } from '../plans/service/settings.ts';
import { begin, finish } from '../sign-in/test/test-oauth.ts';
import { startOidcProvider } from '../sign-in/test/test-oidc-provider.ts';
import { extendTrial, startTrial, stopTrial } from '../subscriptions/service/trials.ts';
import { roles, users } from '../users/table.ts';
import { wrongWallets } from '../wallet/service/entries.ts';
import { moveUnits } from '../wallet/service/units.ts';
import { createReferral, deleteReferral, listReferrals, updateReferral } from './service/codes.ts';
import { referralPeople } from './service/dashboard.ts';
import { cancelReferral, matchReferral } from './service/use.ts';

const day = 86_400_000;
type Person = Session & { token: string };

async function createReferralsApp(env: Record<string, string> = {}) {
  const app = await createTestApp({ env });
  return {
    ...app,
    async join(
      code: string | undefined,
      { device, email = `${newId()}@example.org` }: { device?: string; email?: string } = {},
    ) {
      const answer = await app.call<Person>('POST', '/v1/sign_up', {
        body: { email, password: testPassword, user_name: `u_${newId().slice(-12)}`, referral_code: code },
        headers: device ? { cookie: `device=${device}` } : {},
      });
      await app.settled();
      const cookie = String(answer.headers['set-cookie']);
      return { ...answer.body, device: /(?:^|,)device=([^;]+)/.exec(cookie)?.[1] ?? '' };
    },
    dashboard: async (token: string) =>
      (await app.call<ReferralDashboard>('GET', '/v1/referrals/dashboard', { token })).body,
    people: async (token: string) =>
      (await app.call<{ entries: ReferredPerson[] }>('GET', '/v1/referrals/users', { token })).body.entries,
    me: async (token: string) =>
      (await app.call<Session>('GET', '/v1/me', { token, query: { with_trial: 'true', with_roles: 'true' } })).body,
    subscription: async (token: string) =>
      (await app.call<Subscription>('GET', '/v1/rate_plan_subscription', { token })).body,
    async at(time: number) {
      app.clock.time = time;
      await app.settled();
    },
    expectSound: async () => expect(await wrongWallets(app.db)).toEqual([]),
  };
}

test('a link brings units to both, once, and the dashboard shows it', async () => {
  const app = await createReferralsApp();
  const ada = await app.person();
  const { code, url } = await app.dashboard(ada.token);
  expect(url).toBe(`http://localhost:4000/sign-up?referral_code=${code}`);
  const bob = await app.join(code.toLowerCase());
  for (let again = 0; again < 3; again++) await matchReferral(app.ctx, bob.id);
  expect(await app.balance(bob.token)).toBe(100);
  expect(await app.balance(ada.token)).toBe(100);
  expect(await app.dashboard(ada.token)).toMatchObject({ people: 1, people_matched: 1, units_earned: 100 });
  expect(await app.people(ada.token)).toMatchObject([
    { user: { user_name: bob.user_name }, state: 'matched', units: 100, reason: null },
  ]);
  await app.db.update(users).set({ isDiscoverable: false }).where(eq(users.id, bob.id));
  expect(await app.people(ada.token)).toMatchObject([{ user: null }]);
  // Others see nothing of it.
  expect(await app.people(bob.token)).toEqual([]);
  expect((await app.join('NOSUCHCODE')).balance).toBe(0);
  await app.expectSound();
});

test('units wait for the confirmed address where mail is delivered', async () => {
  const app = await createReferralsApp({ ATOLL_MAILBOX: 'on' });
  const ada = await app.person();
  await updateSettings(app.ctx, { welcome_units: 30 });
  const { code } = await app.dashboard(ada.token);
  const email = `${newId()}@example.org`;
  const bob = await app.join(code, { email });
  expect(await app.balance(bob.token)).toBe(0);
  expect(await app.people(ada.token)).toMatchObject([{ state: 'waiting', units: 0 }]);
  const mail = app.mails.findLast(({ to }) => to === email);
  await app.post(bob.token, '/v1/email_confirmation/redeem', { token: tokenIn(mail) });
  await app.settled();
  const [row] = await app.db.select().from(users).where(eq(users.id, bob.id));
  expect(row).toMatchObject({ balance: 130 });
  expect(await app.balance(ada.token)).toBe(100);
  await app.expectSound();
});

test('the welcome bonus is for newcomers: not for who was here before and confirms another address', async () => {
  const app = await createReferralsApp();
  const ada = await app.join(undefined);
  await updateSettings(app.ctx, { welcome_units: 30 });
  await app.ctx.write(({ emit }) => emit('user.updated', { user_id: ada.id, fields: ['email'] }));
  await app.settled();
  expect(await app.balance(ada.token)).toBe(0);
  expect(await app.balance((await app.join(undefined)).token)).toBe(30);
});

test('one’s own code, the same device again, ended codes and ended accounts earn nothing', async () => {
  const app = await createReferralsApp();
  await updateSettings(app.ctx, { welcome_units: 10 });
  const ada = await app.join(undefined, { email: 'ada@example.org' });
  const { code } = await app.dashboard(ada.token);
  expect(await app.balance(ada.token)).toBe(10);
  // Through a second account: in the same browser, or with the same mailbox.
  const second = await app.join(code, { device: ada.device });
  const plus = await app.join(code, { email: 'Ada+2@example.org' });
  // The third account of a stranger's browser.
  const bob = await app.join(undefined);
  const third = await app.join(code, { device: bob.device });
  const ended = await createReferral(
    app.ctx,
    referralFields.parse({ code: 'SUMMER', units: 5, owner_id: ada.id, expires_at: new Date(0).toISOString() }),
  );
  const late = await app.join('summer');
  expect(await app.balance(ada.token)).toBe(10);
  expect(await Promise.all([second, plus, third, late].map(({ token }) => app.balance(token)))).toEqual([0, 10, 0, 10]);
  expect((await app.people(ada.token)).map(({ reason }) => reason)).toEqual([
    'ended_code',
    'known_device',
    'own_code',
    'known_device',
  ]);
  await updateReferral(app.ctx, ended.id, { expires_at: null, enabled: false });
  expect(await app.balance((await app.join('SUMMER')).token)).toBe(10);

  // An account that is cancelled later: what was earned by it is booked back, as far as it is there.
  const eve = await app.join(code);
  expect(await app.balance(ada.token)).toBe(110);
  for (let again = 0; again < 2; again++) await cancelReferral(app.ctx, eve.id);
  expect(await app.balance(ada.token)).toBe(10);
  expect(await app.dashboard(ada.token)).toMatchObject({ people_matched: 0, units_earned: 0 });
  await app.suspend(ada.id, 'Spam');
  await app.join(code);
  const [row] = await app.db.select().from(users).where(eq(users.id, ada.id));
  expect(row?.balance).toBe(10);
  await app.expectSound();
});

test('the code of a link is kept through a provider, also by a guest who was here before', async () => {
  const provider = await startOidcProvider();
  const app = await createReferralsApp(provider.env('oidc'));
  const ada = await app.person();
  const { code } = await app.dashboard(ada.token);
  const guest = await app.guest();
  await app.call('GET', '/v1/me', { token: guest.token, query: { referral_code: code } });
  const { authorization_url } = await begin(app, guest.token, 'oidc');
  const account = { sub: 'bob-1', email: 'bob@example.org', email_verified: true, name: 'Bob' };
  const finished = await finish(app, guest.token, 'oidc', await provider.answer(authorization_url, account));
  await app.settled();
  expect(finished.body.session.referral).toBe(code);
  expect(await app.balance(ada.token)).toBe(100);
  expect((await app.dashboard(ada.token)).people_matched).toBe(1);
});

test('a code of an admin’s brings units, a plan for its days, roles, a kernel and a team; the end takes back what is left', async () => {
  const app = await createReferralsApp();
  const owner = await app.person();
  const team = await app.call<{ id: string }>('POST', '/v1/teams', { token: owner.token, body: { name: 'Class' } });
  const roleId = newId();
  await app.db.insert(roles).values({ id: roleId, name: 'Students', features: {}, createdAt: new Date() });
  const pro = await planByName(app.db, 'Pro');
  const fields = {
    code: 'Class-2026',
    units: 500,
    roles: [roleId],
    rate_plan_id: pro.id,
    trial_days: 14,
    default_kernel: 'fake.python',
    team_id: team.body.id,
    owner_id: owner.id,
  };
  const referral = await createReferral(app.ctx, referralFields.parse(fields));
  expect(referral).toMatchObject({ code: 'Class-2026', user_count: 0, owner: { id: owner.id } });
  const start = app.clock.time;
  const bob = await app.join('class-2026');
  expect(await app.me(bob.token)).toMatchObject({
    balance: 500,
    subscription: { plan: 'Pro', is_default: false },
    roles: [{ name: 'Students' }],
    trial: { is_enabled: true, expiry_days: 14, rate_plan_id: pro.id, role_ids: [roleId] },
    trial_signup_code: 'Class-2026',
    trial_extension_date: null,
  });
  expect(await app.subscription(bob.token)).toMatchObject({
    is_trial: true,
    expiration: new Date(start + 14 * day).toISOString(),
    next_plan: { name: 'Free' },
  });
  expect((await app.call<{ kernel: string }>('GET', '/v1/kernels/user', { token: bob.token })).body.kernel).toBe(
    'fake.python',
  );
  const teams = await app.call<{ entries: { id: string }[] }>('GET', '/v1/teams', { token: bob.token });
  expect(teams.body.entries.map(({ id }) => id)).toContain(team.body.id);
  expect(await app.balance(owner.token)).toBe(100);
  expect((await listReferrals(app.ctx, { page: 1, page_size: 10 })).entries).toMatchObject([
    { user_count: 1, users_matched: 1 },
  ]);
  expect((await referralPeople(app.ctx, referral.id, { page: 1, page_size: 10 })).entries).toMatchObject([
    { user: { id: bob.id } },
  ]);
  expect((await app.dashboard(owner.token)).codes).toMatchObject([{ code: 'Class-2026' }]);

  await app.at(start + 10 * day);
  await extendTrial(app.ctx, bob.id, 7);
  expect(await app.me(bob.token)).toMatchObject({
    trial_extension_days: 7,
    trial_extension_date: new Date(start + 10 * day).toISOString(),
  });
  await app.at(start + 15 * day);
  expect(await app.subscription(bob.token)).toMatchObject({ is_trial: true });
  const spend = { userId: bob.id, amount: -200, kind: 'execution_time_extension', key: newId(), note: '' } as const;
  await app.ctx.write((write) => moveUnits(app.ctx, write, spend));
  const own = { userId: bob.id, amount: 50, kind: 'manual', key: newId(), note: '' } as const;
  await app.ctx.write((write) => moveUnits(app.ctx, write, own));
  await app.at(start + 21 * day);
  // 300 of the 500 were left; the 50 of one's own stay.
  expect(await app.balance(bob.token)).toBe(50);
  expect(await app.subscription(bob.token)).toMatchObject({ is_trial: false, is_default: true });
  expect(await app.me(bob.token)).toMatchObject({
    roles: [],
    subscription: { plan: 'Free' },
    trial: { is_enabled: false, disabled_reason: 'expired' },
  });
  const entries = await app.get<{ entries: { kind: string; amount: number }[] }>(bob.token, '/v1/wallet');
  expect(entries.body.entries[0]).toMatchObject({ kind: 'trial_expiry_adjustment', amount: -300 });
  await expect(extendTrial(app.ctx, bob.id, 7)).rejects.toMatchObject({ code: 'conflict' });
  await app.expectSound();
});

test('who buys a plan during the trial keeps the units and pays the plan’s price from now', async () => {
  const app = await createReferralsApp();
  const { id, token } = await app.person();
  const pro = await planByName(app.db, 'Pro');
  const trial = { userId: id, ratePlanId: pro.id, days: 14, units: 1_000, roleIds: [] };
  const gift = { userId: id, amount: 4_000, kind: 'welcoming_bonus', key: newId(), note: '' } as const;
  await app.ctx.write(async (write) => {
    await moveUnits(app.ctx, write, gift);
    expect(await startTrial(app.ctx, write, trial)).toBe(true);
    // Once, ever.
    expect(await startTrial(app.ctx, write, trial)).toBe(false);
  });
  const change = (rate_plan_id: string) =>
    app.post<{ subscription: Subscription; change: { kind: string; amount: number } }>(
      token,
      '/v1/rate_plan_subscription',
      { rate_plan_id },
    );
  const free = await planByName(app.db, 'Free');
  expect((await change(free.id)).body.change).toMatchObject({ kind: 'none', amount: 0 });
  const bought = await change(pro.id);
  expect(bought.body).toMatchObject({
    change: { kind: 'upgrade', amount: 2_900 },
    subscription: { is_trial: false, plan: { name: 'Pro' }, next_plan: null },
  });
  await app.at(app.clock.time + 14 * day);
  expect(await app.subscription(token)).toMatchObject({ plan: { name: 'Pro' }, is_trial: false });
  expect(await app.balance(token)).toBe(1_100);

  const eve = await app.person();
  await app.ctx.write((write) => startTrial(app.ctx, write, { ...trial, userId: eve.id }));
  await stopTrial(app.ctx, eve.id);
  expect(await app.subscription(eve.token)).toMatchObject({ is_default: true });
  await app.expectSound();
});

test('a code that cannot be is refused', async () => {
  const app = await createReferralsApp();
  const ada = await app.person();
  const create = async (over: object) => createReferral(app.ctx, referralFields.parse({ code: 'GOOD', ...over }));
  const { id } = await create({});
  const pro = await planByName(app.db, 'Pro');
  const wrong = [
    { code: 'good' },
    { code: ada.referral_code },
    { code: 'a b' },
    { code: 'x' },
    { code: 'A', units: -1 },
    { code: 'AAA', units: 0.5 },
    { code: 'AAA', units: 1e12 },
    { code: 'AAA', trial_days: 5 },
    { code: 'AAA', rate_plan_id: pro.id },
    { code: 'AAA', rate_plan_id: newId(), trial_days: 5 },
    { code: 'AAA', rate_plan_id: pro.id, trial_days: 0 },
    { code: 'AAA', team_id: newId() },
    { code: 'AAA', roles: [newId()] },
    { code: 'AAA', owner_id: newId() },
  ];
  for (const over of wrong) await expect(create(over), JSON.stringify(over)).rejects.toThrow();
  await deleteReferral(app.ctx, id);
  await expect(deleteReferral(app.ctx, id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await listReferrals(app.ctx, { page: 1, page_size: 10 })).total).toBe(0);
});
