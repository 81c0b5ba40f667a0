import type { PlanName, Quota } from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import type { AppError } from '../../platform/errors.ts';
import { createTestApp } from '../../test/test-app.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { users } from '../users/table.ts';
import { extend, reserve, settle } from './service/reservations.ts';
import { wrongBalances } from './service/sweep.ts';

export const second = 1_000;
export const hour = 3_600 * second;

/** The whole server, and the service as a run calls it. */
export async function createQuotaApp() {
  const app = await createTestApp();
  const { ctx, db } = app;
  return {
    ...app,
    reserve: (userId: string, wantedMs: number, options: { id?: string; minimumMs?: number } = {}) => {
      const id = options.id ?? newId();
      return ctx.write(async (write) => ({ id, ...(await reserve(ctx, write, { ...options, id, userId, wantedMs })) }));
    },
    extend: (id: string, wantedMs: number) => ctx.write((write) => extend(ctx, write, id, wantedMs)),
    settle: (id: string, usedMs: number, reason = 'done') =>
      ctx.write((write) => settle(ctx, write, id, usedMs, reason)),
    quota: async (token: string) => (await app.call<Quota>('GET', '/v1/me/quota', { token })).body,
    plan: (userId: string, plan: PlanName) => db.update(users).set({ plan }).where(eq(users.id, userId)),
    /** What must hold whatever happened. */
    async expectSound() {
      expect(await wrongBalances(db)).toEqual([]);
      const unbalanced = await db
        .select({ id: ledgerEntries.transactionId })
        .from(ledgerEntries)
        .groupBy(ledgerEntries.transactionId)
        .having(sql`sum(${ledgerEntries.amount}) <> 0 or count(*) < 2`);
      expect(unbalanced).toEqual([]);
    },
  };
}

export const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: AppError) => error,
  );
