import type { BillingPeriod, PlanChange, PlanName, RatePlan, Subscription } from '@atoll/contract';
import { expect } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp } from '../../test/test-app.ts';
import { sessions } from '../sessions/table.ts';
import { wrongWallets } from '../wallet/service/entries.ts';
import { moveUnits } from '../wallet/service/units.ts';

export const day = 86_400_000;

export async function createBillingApp(time?: number) {
  const app = await createTestApp();
  if (time !== undefined) app.clock.time = time;
  const { ctx, db, settled } = app;
  const plans = (await app.call<{ entries: RatePlan[] }>('GET', '/v1/rate_plans')).body.entries;
  const planId = (name: PlanName) => plans.find((plan) => plan.name === name)?.id ?? '';
  return {
    ...app,
    plans,
    planId,
    async credit(userId: string, amount: number) {
      await ctx.write((write) => moveUnits(ctx, write, { userId, amount, kind: 'manual', key: newId(), note: '' }));
      await settled();
    },
    async at(time: string) {
      // A session does not last as long as a subscription.
      await db.update(sessions).set({ lastSeenAt: new Date(time), expiresAt: new Date('2040-01-01') });
      app.clock.time = Date.parse(time);
      await settled();
    },
    preview: (token: string, plan: PlanName, period: BillingPeriod = 'monthly') =>
      app.get<PlanChange>(token, '/v1/rate_plan_subscription/preview', { rate_plan_id: planId(plan), period }),
    subscribe: (token: string, plan: PlanName, period: BillingPeriod = 'monthly') =>
      app.post<{ subscription: Subscription; change: PlanChange }>(token, '/v1/rate_plan_subscription', {
        rate_plan_id: planId(plan),
        period,
      }),
    subscription: async (token: string) =>
      (await app.call<Subscription>('GET', '/v1/rate_plan_subscription', { token })).body,
    history: async (token: string) =>
      (
        await app.get<{ entries: { kind: string; plan: string; amount: number; date: string }[] }>(
          token,
          '/v1/rate_plan_subscription/history',
          { page_size: '100' },
        )
      ).body.entries,
    notices: async (token: string) => {
      const all = await app.notifications(token);
      return all.flatMap(({ type, metadata }) => (type === 'subscription_notice' ? [metadata.reason] : []));
    },
    expectSound: async () => expect(await wrongWallets(db)).toEqual([]),
  };
}
