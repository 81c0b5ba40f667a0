import type { RatePlan } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { listSubscriptions } from '../admin/service/subscriptions.ts';
import { seedPlans } from '../plans/service/plans.ts';
import { ratePlans } from '../plans/table.ts';
import { assignPlan } from './service/assign.ts';
import { periodAt, periodStart } from './service/periods.ts';
import { sweepSubscriptions } from './service/renew.ts';
import { subscriptions } from './table.ts';
import { createBillingApp, day } from './test-billing.ts';

test('the plans are seeded once and stay as admins changed them', async () => {
  const app = await createBillingApp();
  expect(app.plans.map(({ name, price, annual_price }) => [name, price, annual_price])).toEqual([
    ['Free', 0, 0],
    ['Starter', 900, 9_000],
    ['Pro', 2_900, 29_000],
    ['Expert', 9_900, 99_000],
    ['Enterprise', null, null],
  ]);
  expect(app.plans[2]).toMatchObject({ max_number_of_projects: 100, max_execution_time: 720_000, cores: 2 });
  await app.db.update(ratePlans).set({ price: 1_000 }).where(eq(ratePlans.name, 'Starter'));
  await seedPlans(app.ctx);
  const { body } = await app.call<{ entries: RatePlan[] }>('GET', '/v1/rate_plans');
  expect(body.entries.map(({ price }) => price)).toEqual([0, 1_000, 2_900, 9_900, null]);
});

test('a plan is bought with units, at once, and drives limits and flags', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  expect(await app.subscription(token)).toMatchObject({
    id: null,
    is_default: true,
    plan: { name: 'Free' },
    next_billing: null,
  });
  const refused = await app.subscribe(token, 'Pro');
  expect(refused).toMatchObject({
    status: 403,
    body: { details: { reason: 'usage_limit_reached', needed: 2_900, balance: 0 } },
  });
  expect(await app.history(token)).toEqual([]);
  await app.credit(id, 5_000);
  expect((await app.preview(token, 'Pro')).body).toMatchObject({ kind: 'upgrade', amount: 2_900, balance: 5_000 });
  const answer = await app.subscribe(token, 'Pro');
  expect(answer.body).toMatchObject({
    subscription: { is_default: false, plan: { name: 'Pro' }, next_billing: '2026-12-15T12:00:00.000Z' },
    change: { message: 'Pro begins now. You pay 2,900 units.' },
  });
  expect(await app.balance(token)).toBe(2_100);
  expect((await app.call('GET', '/v1/me/quota', { token })).body).toMatchObject({
    subscription_total: 720_000,
    projects_total: 100,
  });
  expect((await app.call('GET', '/v1/me', { token })).body).toMatchObject({
    balance: 2_100,
    subscription: {
      ...{ plan: 'Pro', is_default: false, id: expect.any(String) },
      ...{ next_billing: '2026-12-15T12:00:00.000Z', canceled_at: null, next_plan: null },
    },
    compute_features: ['l1', 'l2'],
  });
  expect((await app.call('GET', '/v1/me/subscription_stats', { token })).body).toMatchObject({
    plan: 'Pro',
    execution_total: 720_000,
    units_spent: 2_900,
  });
  await app.expectSound();
});

test('two tabs that subscribe at once pay once', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 10_000);
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.subscribe(token, 'Pro')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(answers.filter(({ body }) => body.change.kind === 'upgrade')).toHaveLength(1);
  expect(await app.balance(token)).toBe(7_100);
  await app.expectSound();
});

test('an upgrade deducts the unused part of what was paid; what is left of a year is paid back', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 20_000);
  await app.subscribe(token, 'Starter');
  app.clock.advance(15 * day);
  const change = (await app.subscribe(token, 'Pro')).body.change;
  expect(change).toMatchObject({ kind: 'upgrade', amount: 2_450 });
  expect(change.message).toContain('2,900 units less 450 units for the rest of Starter');
  expect(await app.balance(token)).toBe(16_650);
  // The new month begins with it; the billing of the old one is none.
  await app.at('2026-12-15T12:00:00Z');
  expect(await app.balance(token)).toBe(16_650);

  const other = await app.person();
  await app.credit(other.id, 9_000);
  await app.subscribe(other.token, 'Starter', 'yearly');
  expect((await app.subscribe(other.token, 'Pro')).body.change).toMatchObject({ kind: 'upgrade', amount: -6_100 });
  expect(await app.balance(other.token)).toBe(6_100);
  await app.expectSound();
});

test('a smaller plan and a cancellation begin at the next billing, and can be taken back', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 10_000);
  await app.subscribe(token, 'Pro');
  const lower = (await app.subscribe(token, 'Starter')).body;
  expect(lower.change).toMatchObject({ kind: 'downgrade', amount: 0, effective_at: '2026-12-15T12:00:00.000Z' });
  expect(lower.subscription).toMatchObject({
    plan: { name: 'Pro' },
    next_plan: { name: 'Starter' },
    canceled_at: null,
  });
  const canceled = (await app.subscribe(token, 'Free')).body;
  expect(canceled.change).toMatchObject({
    kind: 'cancel',
    message: 'Pro ends on December 15, 2026. Then Free begins.',
  });
  expect(canceled.subscription).toMatchObject({ canceled_at: '2026-11-15T12:00:00.000Z', next_billing: null });
  expect((await app.subscribe(token, 'Pro')).body).toMatchObject({
    change: { kind: 'keep' },
    subscription: { next_plan: null, canceled_at: null },
  });
  await app.subscribe(token, 'Starter');
  await app.at('2026-12-15T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({ plan: { name: 'Starter' }, next_plan: null });
  expect(await app.balance(token)).toBe(6_200);
  await app.subscribe(token, 'Free');
  await app.at('2027-01-15T11:59:59Z');
  expect(await app.subscription(token)).toMatchObject({ plan: { name: 'Starter' } });
  await app.at('2027-01-15T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({ id: null, plan: { name: 'Free' }, is_default: true });
  expect(await app.balance(token)).toBe(6_200);
  expect((await app.history(token)).map(({ kind }) => kind)).toEqual([
    'ended',
    'cancel',
    'renewal',
    'downgrade',
    'keep',
    'cancel',
    'downgrade',
    'upgrade',
  ]);
  await app.expectSound();
});

test('projects beyond the new limit are named before, and stay', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 900);
  await app.subscribe(token, 'Starter');
  for (let each = 0; each < 7; each++) await app.project(token);
  const { body } = await app.preview(token, 'Free');
  expect(body).toMatchObject({ kind: 'cancel', projects_over: 2 });
  expect(body.message).toContain('You have 7 projects and Free includes 5: all of them stay');
  await app.subscribe(token, 'Free');
  await app.at('2026-12-15T12:00:00Z');
  expect((await app.call('GET', '/v1/me/quota', { token })).body).toMatchObject({
    projects_used: 7,
    projects_total: 5,
  });
  expect((await app.call('POST', '/v1/notebooks', { token, body: { name: 'x' } })).status).toBe(403);
});

test('two years of months from the 31st: billed once each, on the last day of shorter months', async () => {
  const app = await createBillingApp(Date.UTC(2027, 0, 31, 9, 30));
  const { id, token } = await app.person();
  await app.credit(id, 100_000);
  await app.subscribe(token, 'Starter');
  const days: string[] = [];
  for (let month = 0; month < 25; month++) {
    const due = (await app.subscription(token)).next_billing ?? '';
    days.push(due.slice(0, 16));
    await app.at(new Date(Date.parse(due) - 1).toISOString());
    expect(await app.balance(token)).toBe(100_000 - 900 * (month + 1));
    await app.at(due);
    expect(await app.balance(token)).toBe(100_000 - 900 * (month + 2));
  }
  expect(days.slice(0, 4)).toEqual(['2027-02-28T09:30', '2027-03-31T09:30', '2027-04-30T09:30', '2027-05-31T09:30']);
  expect(days.slice(12, 14)).toEqual(['2028-02-29T09:30', '2028-03-31T09:30']);
  expect(days.at(-1)).toBe('2029-02-28T09:30');
  expect(await app.notices(token)).toContain('Starter renews on February 28 for 900 units');
  await app.expectSound();
});

test('a year from a leap day ends on 28 February, and on the 29th again four years later', () => {
  const leap = new Date('2028-02-29T00:00:00Z');
  expect([1, 4].map((index) => periodStart(leap, 'yearly', index).toISOString().slice(0, 10))).toEqual([
    '2029-02-28',
    '2032-02-29',
  ]);
  expect(periodAt(leap, 'yearly', new Date('2029-02-28T00:00:00Z')).start.toISOString()).toBe(
    '2029-02-28T00:00:00.000Z',
  );
});

test('a balance that is short has three days; then the plan ends and everything else stays', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 1_000);
  await app.subscribe(token, 'Starter');
  await app.at('2026-12-12T12:00:00Z');
  expect(await app.notices(token)).toEqual(['Starter renews on December 15 for 900 units; your balance is 100 units']);
  await app.at('2026-12-15T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({
    plan: { name: 'Starter' },
    expiration: '2026-12-18T12:00:00.000Z',
  });
  expect((await app.notices(token))[0]).toBe('Add 800 units by December 18 to keep Starter');
  // Too little changes nothing; enough pays at once, for the period that was due.
  await app.credit(id, 100);
  expect(await app.balance(token)).toBe(200);
  await app.at('2026-12-17T12:00:00Z');
  await app.credit(id, 700);
  expect(await app.subscription(token)).toMatchObject({ next_billing: '2027-01-15T12:00:00.000Z' });
  expect(await app.balance(token)).toBe(0);
  await app.at('2026-12-18T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({ plan: { name: 'Starter' } });

  await app.at('2027-01-15T12:00:00Z');
  const refused = await app.subscribe(token, 'Starter');
  expect(refused.status).toBe(403);
  await app.at('2027-01-18T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({ id: null, plan: { name: 'Free' } });
  expect((await app.history(token)).slice(0, 2).map(({ kind }) => kind)).toEqual(['ended', 'payment_due']);
  await app.expectSound();
});

test('a server that was down, and a clock that goes back: each period is billed once', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 10_000);
  await app.subscribe(token, 'Starter');
  // Three days late: the period stays what it was.
  await app.at('2026-12-18T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({ next_billing: '2027-01-15T12:00:00.000Z' });
  expect(await app.balance(token)).toBe(8_200);
  await app.at('2026-12-14T12:00:00Z');
  await sweepSubscriptions(app.ctx);
  await app.at('2026-12-20T12:00:00Z');
  expect(await app.balance(token)).toBe(8_200);
  // Half a year: only the month that has begun.
  await app.at('2027-06-20T12:00:00Z');
  await sweepSubscriptions(app.ctx);
  await app.settled();
  expect(await app.subscription(token)).toMatchObject({ next_billing: '2027-07-15T12:00:00.000Z' });
  expect(await app.balance(token)).toBe(7_300);
  await app.expectSound();
});

test('a server that is down for three days bills each renewal of them once, for its own period', async () => {
  const app = await createBillingApp();
  const people = [await app.person(), await app.person(), await app.person(), await app.person()];
  // Due on the day before it stops, and on each of the three days it is down.
  for (const [index, { id, token }] of people.entries()) {
    await app.credit(id, index === 3 ? 1_000 : 10_000);
    if (index > 0) app.clock.advance(day);
    await app.subscribe(token, 'Starter');
  }
  await app.at('2026-12-15T12:00:00Z');
  expect(await app.balance(people[0]?.token ?? '')).toBe(8_200);
  // Nothing runs from here on; the jobs of three days are all due at once.
  await app.at('2026-12-18T13:00:00Z');
  for (let again = 0; again < 3; again++) {
    await sweepSubscriptions(app.ctx);
    await app.settled();
  }
  for (const [index, { token }] of people.slice(0, 3).entries()) {
    expect(await app.balance(token)).toBe(8_200);
    expect(await app.subscription(token)).toMatchObject({ next_billing: `2027-01-${15 + index}T12:00:00.000Z` });
    expect((await app.history(token)).filter(({ kind }) => kind === 'renewal')).toHaveLength(1);
  }
  // Whose balance is short has the whole grace, counted from when it was tried.
  expect(await app.subscription(people[3]?.token ?? '')).toMatchObject({ expiration: '2026-12-21T13:00:00.000Z' });
  await app.expectSound();
});

test('however one changes back and forth, never more units come back than were paid', async () => {
  const app = await createBillingApp();
  let seed = 3;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const { id, token } = await app.person();
  await app.credit(id, 500_000);
  const names = ['Free', 'Starter', 'Pro', 'Expert'] as const;
  for (let change = 0; change < 60; change++) {
    app.clock.advance(random(3) * random(20) * day + random(day));
    await app.settled();
    const [plan, period] = [names[random(4)] ?? 'Free', random(2) ? 'yearly' : 'monthly'] as const;
    const [before] = await app.db.select().from(subscriptions).where(eq(subscriptions.userId, id));
    const { change } = (await app.subscribe(token, plan, period)).body;
    const { price, annual_price } = app.plans.find(({ name }) => name === plan) ?? {};
    const deducted = ((period === 'yearly' ? annual_price : price) ?? 0) - change.amount;
    if (change.kind === 'upgrade') expect(deducted).toBeLessThanOrEqual(before?.paid ?? 0);
    else expect(change.amount).toBe(0);
    expect(await app.balance(token)).toBeLessThanOrEqual(500_000);
    // No session lasts so long.
    await app.at(new Date(app.clock.time).toISOString());
  }
  await app.expectSound();
});

test('an admin gives a plan without payment; it is not billed, and what was subscribed to has ended', async () => {
  const app = await createBillingApp();
  const { id, token } = await app.person();
  await app.credit(id, 5_000);
  await app.subscribe(token, 'Starter');
  const page = { page: 1, page_size: 10 };
  expect((await listSubscriptions(app.ctx, page)).entries).toMatchObject([
    { person: { id }, plan: 'Starter', is_yearly: false, is_in_grace: false },
  ]);
  expect(await assignPlan(app.ctx, id, app.planId('Enterprise'))).toMatchObject({
    id: null,
    plan: { name: 'Enterprise' },
    next_billing: null,
  });
  expect((await listSubscriptions(app.ctx, page)).total).toBe(0);
  await app.at('2027-03-15T12:00:00Z');
  expect(await app.subscription(token)).toMatchObject({ plan: { name: 'Enterprise' } });
  expect(await app.balance(token)).toBe(4_100);
  expect((await app.history(token))[0]).toMatchObject({ kind: 'assigned', amount: 0 });
  await expect(assignPlan(app.ctx, id, newId())).rejects.toMatchObject({ code: 'not_found' });
});

test('a plan that is withdrawn stays with those who have it, and is not sold', async () => {
  const app = await createBillingApp();
  const [ada, eve] = [await app.person(), await app.person()];
  await app.credit(ada.id, 5_000);
  await app.credit(eve.id, 5_000);
  await app.subscribe(ada.token, 'Starter');
  await app.db
    .update(ratePlans)
    .set({ withdrawnAt: new Date(app.clock.time) })
    .where(eq(ratePlans.name, 'Starter'));
  expect((await app.subscribe(eve.token, 'Starter')).status).toBe(409);
  expect((await app.subscribe(eve.token, 'Enterprise')).status).toBe(409);
  await app.at('2026-12-15T12:00:00Z');
  expect(await app.subscription(ada.token)).toMatchObject({ plan: { name: 'Starter' } });
  expect(await app.balance(ada.token)).toBe(3_200);
  for (const body of [{}, { rate_plan_id: 'Pro' }, { rate_plan_id: app.planId('Pro'), period: 'weekly' }])
    expect((await app.call('POST', '/v1/rate_plan_subscription', { token: eve.token, body })).status).toBe(422);
});
