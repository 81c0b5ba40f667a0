import { type PlanName, seededPlans, type TimeExtension } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { AppError } from '../../platform/errors.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { testPassword } from '../../test/test-app.ts';
import { ledgerEntries, ledgerTransactions } from '../ledger/table.ts';
import { updateSettings } from '../plans/service/settings.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';
import { moveUnits } from '../wallet/service/units.ts';
import { addExtension } from './service/extensions.ts';
import { heartbeat, settleAbandoned } from './service/heartbeats.ts';
import { runLimitsOf } from './service/limits.ts';
import { reserve } from './service/reservations.ts';
import { wrongBalances } from './service/sweep.ts';
import { quotaBalances, quotaReservations } from './table.ts';
import { createQuotaApp, hour, refusal, second } from './test-quota.ts';

describe('reserving execution time', () => {
  test('what is left is granted, what is used is booked, the rest comes back', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    expect(await app.quota(token)).toEqual({
      execution_used: 0,
      execution_reserved: 0,
      subscription_total: 36_000,
      extension_balance: 0,
      projects_used: 0,
      projects_total: 5,
      renews_at: '2026-12-01T00:00:00.000Z',
    });
    const run = await app.reserve(userId, hour);
    expect(run.grantedMs).toBe(hour);
    expect(await app.quota(token)).toMatchObject({ execution_used: 0, execution_reserved: 3_600 });
    expect(await app.extend(run.id, 100 * hour)).toEqual({ grantedMs: 9 * hour });
    expect(await app.extend(run.id, second)).toEqual({ grantedMs: 0 });
    expect(await app.settle(run.id, 90 * second)).toMatchObject({ usedMs: 90 * second });
    await app.project(token);
    expect(await app.quota(token)).toMatchObject({ execution_used: 90, execution_reserved: 0, projects_used: 1 });
    // A reader's copy of a publication counts for no limit.
    await app.database.db.update(projects).set({ isHidden: true });
    expect(await app.quota(token)).toMatchObject({ projects_used: 0 });
    await app.expectSound();
  });

  test('of 200 at once exactly as many pass as there is time for', async () => {
    const app = await createQuotaApp();
    const { id: userId } = await app.person();
    await app.settle((await app.reserve(userId, 10 * hour)).id, 10 * hour - 100 * second);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => refusal(app.reserve(userId, second, { minimumMs: second }))),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(100);
    expect(new Set(answers.filter(Boolean).map((answer) => answer?.extras.details?.reason))).toEqual(
      new Set(['usage_limit_reached']),
    );
    await app.expectSound();
  });

  test('a refusal says what is used, what is held, when there is more, and leaves nothing behind', async () => {
    const app = await createQuotaApp();
    const { id: userId } = await app.person();
    await app.settle((await app.reserve(userId, 9 * hour)).id, 9 * hour);
    await app.reserve(userId, hour - 30 * second);
    const id = newId();
    const caught = await app.ctx.write(async (write) => {
      const options = { id, userId, wantedMs: hour, minimumMs: 60 * second };
      return refusal(reserve(app.ctx, write, options));
    });
    expect(caught).toBeInstanceOf(AppError);
    expect(caught).toMatchObject({ code: 'forbidden' });
    expect(caught?.message).toBe(
      'Not enough execution time left: 9 h of 10 h of this month are used, and running code has reserved 59 min. ' +
        'Stop a run or wait until it ends. Upgrade, buy execution time or wait until December 1.',
    );
    expect(caught?.extras.details).toEqual({
      reason: 'usage_limit_reached',
      limit: 36_000,
      used: 32_400,
      reserved: 3_570,
      extension: 0,
      renews_at: '2026-12-01T00:00:00.000Z',
    });
    expect(await app.db.select().from(quotaReservations).where(eq(quotaReservations.id, id))).toEqual([]);
    expect((await app.reserve(userId, hour)).grantedMs).toBe(30 * second);
    await app.expectSound();
  });

  test('an id reserves once and is settled once, however often it is sent', async () => {
    const app = await createQuotaApp();
    const [{ id: userId, token }, other] = [await app.person(), await app.person()];
    const id = newId();
    const granted = await Promise.all(Array.from({ length: 20 }, () => app.reserve(userId, hour, { id })));
    expect(new Set(granted.map(({ grantedMs }) => grantedMs))).toEqual(new Set([hour]));
    expect(await app.quota(token)).toMatchObject({ execution_reserved: 3_600 });
    expect(await refusal(app.reserve(other.id, hour, { id }))).toMatchObject({ code: 'conflict' });
    const settled = await Promise.all(Array.from({ length: 20 }, (_, n) => app.settle(id, (n + 1) * second)));
    expect(new Set(settled.map((answer) => answer?.usedMs)).size).toBe(1);
    expect(await app.quota(token)).toMatchObject({ execution_reserved: 0 });
    expect(await refusal(app.reserve(userId, hour, { id }))).toMatchObject({ code: 'conflict' });
    expect(await app.extend(id, hour)).toEqual({ grantedMs: 0 });
    expect(await app.settle(newId(), second)).toBeNull();
    await app.expectSound();
  });

  test('more than is reserved is never booked', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const { id } = await app.reserve(userId, 10 * second);
    expect(await app.settle(id, hour)).toMatchObject({ usedMs: 10 * second });
    expect(await app.quota(token)).toMatchObject({ execution_used: 10 });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300])('%d is no length of time', async (ms) => {
    const app = await createQuotaApp();
    const { id: userId } = await app.person();
    await expect(app.reserve(userId, ms)).rejects.toThrow(RangeError);
    const { id } = await app.reserve(userId, hour);
    await expect(app.extend(id, ms)).rejects.toThrow(RangeError);
    await expect(app.settle(id, ms)).rejects.toThrow(RangeError);
    await heartbeat(app.ctx, [{ id, usedMs: ms }]);
    await app.expectSound();
  });

  test('nobody who does not exist has time', async () => {
    const app = await createQuotaApp();
    expect(await refusal(app.reserve(newId(), hour))).toMatchObject({ code: 'not_found' });
  });
});

describe('months and plans', () => {
  test('a month has its own time, and a run across its end is booked where it was reserved', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const { id } = await app.reserve(userId, 10 * hour);
    app.clock.time = Date.UTC(2026, 11, 1, 0, 0, 1);
    const { id: next, grantedMs } = await app.reserve(userId, 2 * hour);
    expect(grantedMs).toBe(2 * hour);
    await app.settle(id, 3 * hour);
    await app.settle(next, hour);
    expect(await app.quota(token)).toMatchObject({
      execution_used: 3_600,
      execution_reserved: 0,
      renews_at: '2027-01-01T00:00:00.000Z',
    });
    const balances = await app.db.select().from(quotaBalances).where(eq(quotaBalances.userId, userId));
    expect(balances.map(({ period, usedMs, reservedMs }) => [period, usedMs / hour, reservedMs]).sort()).toEqual([
      ['2026-11', 3, 0],
      ['2026-12', 1, 0],
    ]);
    await app.expectSound();
  });

  test('a larger plan gives more at once, a smaller one nothing more, and nothing goes below zero', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const { id } = await app.reserve(userId, 10 * hour);
    await app.plan(userId, 'Starter');
    expect(await app.extend(id, 100 * hour)).toEqual({ grantedMs: 40 * hour });
    await app.plan(userId, 'Free');
    expect(await app.extend(id, second)).toEqual({ grantedMs: 0 });
    expect(await app.quota(token)).toMatchObject({ execution_reserved: 180_000, subscription_total: 36_000 });
    // What is given back is not there to be taken again: the plan has only ten hours now.
    await app.settle(id, 20 * hour);
    expect(await refusal(app.reserve(userId, second))).toMatchObject({ code: 'forbidden' });
    await app.expectSound();

    await app.plan(userId, 'Enterprise');
    expect((await app.reserve(userId, 10_000 * hour)).grantedMs).toBe(10_000 * hour);
    expect(await app.quota(token)).toMatchObject({ subscription_total: null, projects_total: null });
    await app.plan(userId, 'Pro');
    expect(await refusal(app.reserve(userId, second))).toMatchObject({ code: 'forbidden' });
    await app.expectSound();
  });

  test('admins are not limited', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    await app.promote(userId);
    const { id } = await app.reserve(userId, 5_000 * hour);
    await app.settle(id, 5_000 * hour);
    expect(await app.quota(token)).toMatchObject({ execution_used: 18_000_000, subscription_total: null });
    await app.expectSound();
  });

  test('the extension is used after the month’s own time, and does not end with it', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const purchase = { id: newId(), userId, amountMs: 5 * hour };
    for (let again = 0; again < 2; again++) await app.ctx.write((write) => addExtension(app.ctx, write, purchase));
    const first = await app.reserve(userId, 9 * hour);
    const second = await app.reserve(userId, 3 * hour);
    expect(second.grantedMs).toBe(3 * hour);
    expect(await app.quota(token)).toMatchObject({ execution_reserved: 43_200, extension_balance: 10_800 });
    // The first gives time back, so the second needs nothing that was bought.
    await app.settle(first.id, hour);
    await app.settle(second.id, 3 * hour);
    expect(await app.quota(token)).toMatchObject({ execution_used: 14_400, extension_balance: 18_000 });
    const third = await app.reserve(userId, 100 * hour);
    expect(third.grantedMs).toBe(11 * hour);
    await app.settle(third.id, 8 * hour);
    app.clock.time = Date.UTC(2027, 0, 1);
    expect(await app.quota(token)).toMatchObject({ execution_used: 0, extension_balance: 10_800 });
    await app.expectSound();
  });

  test('time is bought with units at the admin’s price, once for each request, and is used after the plan’s own', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const buy = (body: object) => app.call<TimeExtension>('POST', '/v1/execution_time_extension', { token, body });
    const refused = await buy({ hours: 2 });
    expect(refused).toMatchObject({
      status: 403,
      body: { details: { reason: 'usage_limit_reached', needed: 40, balance: 0 } },
    });
    const { ctx } = app;
    const credit = { userId, amount: 100, kind: 'manual', key: newId(), note: '' } as const;
    await ctx.write((write) => moveUnits(ctx, write, credit));
    const request_id = newId();
    const answers = await Promise.all(Array.from({ length: 20 }, () => buy({ hours: 2, hour_price: 20, request_id })));
    expect(answers.map(({ status, body }) => [status, body.balance])).toEqual(
      Array.from({ length: 20 }, () => [200, 60]),
    );
    expect(answers[0]?.body).toEqual({ hour_price: 20, extension_balance: 7_200, balance: 60 });
    expect((await buy({ hours: 3, request_id })).status).toBe(409);
    await updateSettings(ctx, { extension_hour_price: 30 });
    // The price that was shown does not hold any more: nothing is bought unseen.
    expect((await buy({ hours: 1, hour_price: 20 })).status).toBe(409);
    expect((await buy({ hours: 1, hour_price: 30 })).body).toMatchObject({ extension_balance: 10_800, balance: 30 });
    for (const hours of [0, -1, 0.5, 1e9, '1', null]) expect((await buy({ hours })).status, String(hours)).toBe(422);
    const run = await app.reserve(userId, 20 * hour);
    expect(run.grantedMs).toBe(13 * hour);
    expect(await app.settle(run.id, 11 * hour)).toMatchObject({ usedMs: 11 * hour, extensionMs: hour });
    expect(await app.quota(token)).toMatchObject({ execution_used: 36_000, extension_balance: 7_200 });
    await app.expectSound();
  });

  test('how long one run may take and on what follows the plan', () => {
    const of = ({ plan = 'Free', ...over }: { plan?: PlanName; isGuest?: boolean; role?: 'admin' }) =>
      runLimitsOf({ role: 'user', isGuest: false, limits: { title: plan, ...seededPlans[plan] }, ...over });
    expect(of({})).toEqual({ longestRunMs: hour, tier: 'l1', tiers: ['l1'] });
    expect(of({ isGuest: true })).toEqual({ longestRunMs: hour, tier: 'l1', tiers: ['l1'] });
    expect(of({ plan: 'Pro' })).toEqual({ longestRunMs: 12 * hour, tier: 'l2', tiers: ['l1', 'l2'] });
    expect(of({ plan: 'Enterprise' }).longestRunMs).toBeNull();
    expect(of({ role: 'admin' })).toEqual({ longestRunMs: null, tier: 'l3', tiers: ['l1', 'l2', 'l3'] });
  });
});

describe('guests', () => {
  test('have one hour in all', async () => {
    const app = await createQuotaApp();
    const guest = await app.guest();
    await app.settle((await app.reserve(guest.id, 2 * hour)).id, hour);
    app.clock.time = Date.UTC(2027, 0, 1);
    const refused = await refusal(app.reserve(guest.id, second));
    expect(refused?.message).toContain('Create an account');
    const quota = { execution_used: 3_600, subscription_total: 3_600, projects_total: 1, renews_at: null };
    expect(await app.quota(guest.token)).toMatchObject(quota);
  });

  test('who sign up keep what they used and what still runs', async () => {
    const app = await createQuotaApp();
    const guest = await app.guest();
    await app.settle((await app.reserve(guest.id, hour)).id, 20 * 60 * second);
    const running = await app.reserve(guest.id, 10 * 60 * second);
    const body = { email: 'new@example.org', password: testPassword, user_name: 'newcomer', first_name: 'New' };
    const { token } = (await app.call('POST', '/v1/sign_up', { token: guest.token, body })).body as unknown as {
      token: string;
    };
    await app.settled();
    expect(await app.quota(token)).toMatchObject({ execution_used: 1_200, execution_reserved: 600 });
    await app.settle(running.id, 5 * 60 * second);
    expect(await app.quota(token)).toMatchObject({ execution_used: 1_500, execution_reserved: 0 });
    await app.expectSound();
  });

  test('who sign in bring what they used along, also where there is no room for it', async () => {
    const app = await createQuotaApp();
    const [ada, guest] = [await app.person(), await app.guest()];
    await app.settle((await app.reserve(ada.id, 10 * hour)).id, 10 * hour);
    await app.settle((await app.reserve(guest.id, hour)).id, 20 * 60 * second);
    const running = await app.reserve(guest.id, 10 * 60 * second);
    const signIn = { token: guest.token, body: { email: ada.email, password: testPassword } };
    expect((await app.call('POST', '/v1/sign_in', signIn)).status).toBe(200);
    await app.settled();
    expect(await app.quota(ada.token)).toMatchObject({ execution_used: 37_200, execution_reserved: 600 });
    await app.settle(running.id, 60 * second);
    expect(await app.quota(ada.token)).toMatchObject({ execution_used: 37_260, execution_reserved: 0 });
    expect(await refusal(app.reserve(ada.id, second))).toMatchObject({ code: 'forbidden' });
    await app.expectSound();
  });
});

describe('heartbeats', () => {
  test('say what is used so far; a run that stops beating is settled from the last', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const [silent, beating, over] = [
      await app.reserve(userId, hour),
      await app.reserve(userId, hour),
      await app.reserve(userId, hour),
    ];
    await app.settle(over.id, 0);
    app.clock.advance(10 * second);
    const beats = [silent, beating, over].map(({ id }) => ({ id, usedMs: 10 * second }));
    const unknown = newId();
    expect(await heartbeat(app.ctx, [...beats, { id: unknown, usedMs: 1 }])).toEqual({ ended: [over.id, unknown] });
    // Late and out of order: what was used is not taken back.
    await heartbeat(app.ctx, [{ id: silent.id, usedMs: 3 * second }]);
    expect(await app.quota(token)).toMatchObject({ execution_used: 20, execution_reserved: 7_180 });

    const seen = new Date(app.clock.time + 1);
    app.clock.advance(60 * second);
    await heartbeat(app.ctx, [{ id: beating.id, usedMs: 70 * second }]);
    expect(await settleAbandoned(app.ctx, seen)).toMatchObject([{ id: silent.id, userId, usedMs: 10 * second }]);
    expect(await settleAbandoned(app.ctx, seen)).toEqual([]);
    expect(await heartbeat(app.ctx, [{ id: silent.id, usedMs: 80 * second }])).toEqual({ ended: [silent.id] });
    expect(await app.quota(token)).toMatchObject({ execution_used: 80, execution_reserved: 3_530 });
    await app.expectSound();
  });

  test('the person sees what changes, but not every beat', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const topic = await join(await connect(app, token), `notifications:${userId}`);
    const { id } = await app.reserve(userId, hour);
    expect(await topic.event('quota_changed')).toMatchObject({ quota: { execution_reserved: 3_600 } });
    for (let beat = 1; beat <= 40; beat++) {
      app.clock.advance(second);
      await heartbeat(app.ctx, [{ id, usedMs: beat * second }]);
    }
    await app.settle(id, 41 * second);
    await topic.event('quota_changed', ({ quota }) => (quota as { execution_used: number }).execution_used === 41);
    const told = topic.events.map(({ payload }) => (payload.quota as { execution_used: number }).execution_used);
    expect(told).toEqual([0, 1, 31, 41]);
  });

  test('a transaction that fails tells nobody and takes nothing', async () => {
    const app = await createQuotaApp();
    const { id: userId, token } = await app.person();
    const failing = app.ctx.write(async (write) => {
      await reserve(app.ctx, write, { id: newId(), userId, wantedMs: hour });
      throw new Error('the run could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect(await app.quota(token)).toMatchObject({ execution_reserved: 0 });
    expect(await app.db.select().from(ledgerEntries)).toEqual([]);
  });
});

describe('the books', () => {
  const transaction = { asset: 'execution_ms', kind: 'test', createdAt: new Date() } as const;

  test('refuse legs that do not sum to zero', async () => {
    const { db, person } = await createQuotaApp();
    const { id: userId } = await person();
    const leg = { account: 'time', userId, period: '2026-11' } as const;
    const book = (amounts: number[]) =>
      db.transaction(async (tx) => {
        const [header] = await tx.insert(ledgerTransactions).values(transaction).returning();
        const entries = amounts.map((amount) => ({ ...leg, transactionId: header?.id ?? '', amount }));
        await tx.insert(ledgerEntries).values(entries);
      });
    await expect(book([5, -4])).rejects.toThrow();
    await expect(book([5])).rejects.toThrow();
    await expect(book([5, -5, 0])).rejects.toThrow();
    expect(await db.select().from(ledgerTransactions)).toEqual([]);
    await book([5, -2, -3]);
  });

  test('are never changed', async () => {
    const app = await createQuotaApp();
    const { id: userId } = await app.person();
    await app.reserve(userId, hour);
    await expect(app.db.update(ledgerEntries).set({ amount: 1 })).rejects.toThrow();
    await expect(app.db.delete(ledgerEntries)).rejects.toThrow();
    await expect(app.db.update(ledgerTransactions).set({ kind: 'other' })).rejects.toThrow();
    // Somebody who is deleted stays in them.
    await app.db.delete(users).where(eq(users.id, userId));
    expect(await app.db.select().from(ledgerEntries)).toHaveLength(2);
  });
});

test('a balance that is not what the books say is found', async () => {
  const app = await createQuotaApp();
  const { id: userId } = await app.person();
  await app.reserve(userId, hour);
  expect(await wrongBalances(app.db)).toEqual([]);
  await app.db.update(quotaBalances).set({ usedMs: 1 });
  expect(await wrongBalances(app.db)).toEqual([{ userId, period: '2026-11' }]);
});

test('the endpoint refuses what it does not know', async () => {
  const app = await createQuotaApp();
  const { token } = await app.person();
  expect((await app.call('GET', '/v1/me/quota', { token, query: { user_id: newId() } })).status).toBe(422);
});
