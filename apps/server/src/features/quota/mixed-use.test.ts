import { like, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { AppError } from '../../platform/errors.ts';
import { ledgerEntries, ledgerTransactions } from '../ledger/table.ts';
import { addExtension } from './service/extensions.ts';
import { heartbeat, settleAbandoned } from './service/heartbeats.ts';
import { extend, reserve, settle } from './service/reservations.ts';
import { quotaReservations } from './table.ts';
import { createQuotaApp, hour, second } from './test-quota.ts';

/** The same numbers for the same seed. */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

class ChangedMyMind extends Error {}

/**
 * Ten at a time do anything to three people's time; one transaction in five fails at its end. Whatever the order: the
 * books balance, the balances are what they say, nothing is negative (the database refuses it) and every run is settled
 * at most once.
 */
test.each([1, 7, 42])('whatever happens, the books are right (seed %d)', async (seed) => {
  const app = await createQuotaApp();
  const { ctx } = app;
  const random = numbersFrom(seed);
  const people = [await app.person(), await app.person(), await app.guest()];
  for (const { id: userId } of people.slice(0, 2))
    await ctx.write((write) => addExtension(ctx, write, { id: newId(), userId, amountMs: 2 * hour }));
  const runs: string[] = [];
  const anyRun = () => runs[random(runs.length)] ?? newId();
  const anyTime = () => random(4) * hour + random(3600) * second + random(1000);

  const inTransaction = (work: (write: Parameters<Parameters<typeof ctx.write>[0]>[0]) => Promise<unknown>) => {
    const isFailing = random(5) === 0;
    return ctx.write(async (write) => {
      await work(write);
      if (isFailing) throw new ChangedMyMind();
    });
  };
  const acts: (() => Promise<unknown>)[] = [
    () => {
      const [id, userId, wantedMs] = [newId(), people[random(3)]?.id ?? '', anyTime()];
      runs.push(id);
      return inTransaction((write) => reserve(ctx, write, { id, userId, wantedMs, minimumMs: random(2) * hour }));
    },
    () => {
      const [id, wantedMs] = [anyRun(), anyTime()];
      return inTransaction((write) => extend(ctx, write, id, wantedMs));
    },
    () => {
      const [id, usedMs] = [anyRun(), anyTime()];
      return inTransaction((write) => settle(ctx, write, id, usedMs, 'done'));
    },
    () =>
      heartbeat(
        ctx,
        Array.from({ length: random(6) }, () => ({ id: anyRun(), usedMs: anyTime() })),
      ),
    async () => {
      app.clock.advance(random(20) * second);
      await settleAbandoned(ctx, new Date(app.clock.time - 30 * second));
    },
    () =>
      app.plan(people[random(2)]?.id ?? '', (['Free', 'Starter', 'Free', 'Enterprise'] as const)[random(4)] ?? 'Free'),
  ];
  const act = async () => {
    for (let turn = 0; turn < 25; turn++) {
      await acts[random(acts.length)]?.().catch((error: unknown) => {
        const isExpected = error instanceof ChangedMyMind || (error instanceof AppError && error.status < 500);
        if (!isExpected) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 10 }, act));

  await app.expectSound();
  const [sum] = await app.db
    .select({ all: sql`coalesce(sum(${ledgerEntries.amount}), 0)::float8` })
    .from(ledgerEntries);
  expect(sum?.all).toBe(0);
  const settlements = await app.db.select().from(ledgerTransactions).where(like(ledgerTransactions.key, 'settle:%'));
  const reservations = await app.db.select().from(quotaReservations);
  const isSettled = reservations.filter(({ state }) => state === 'settled').map(({ id }) => id);
  expect(settlements.map(({ referenceId }) => referenceId).sort()).toEqual(isSettled.sort());
  expect(isSettled.length).toBeGreaterThan(10);

  // And at the end everybody has back what is not used.
  for (const { id } of reservations) await app.settle(id, 0);
  for (const { id, token } of people) {
    const used = reservations
      .filter(({ userId }) => userId === id)
      .reduce((all, { state, usedMs }) => all + (state === 'settled' ? usedMs : 0), 0);
    const quota = token ? await app.quota(token) : null;
    expect(quota?.execution_reserved).toBe(0);
    const bought = quota?.projects_total === 1 ? 0 : 2 * 3600;
    expect(
      Math.abs((quota?.execution_used ?? 0) + bought - (quota?.extension_balance ?? 0) - used / 1000),
    ).toBeLessThan(2);
  }
  await app.expectSound();
});
