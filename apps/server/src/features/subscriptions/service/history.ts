import type { Paging } from '@atoll/contract';
import { desc, eq, inArray } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { ledgerTransactions } from '../../ledger/table.ts';
import { ratePlans } from '../../plans/table.ts';
import { quotaOf } from '../../quota/service/quota.ts';
import { spentUnits } from '../../wallet/service/entries.ts';
import { subscriptionChanges } from '../table.ts';
import { subscriptionOf } from './standing.ts';

export async function listChanges(ctx: Context, { page, page_size }: Paging) {
  const own = eq(subscriptionChanges.userId, ctx.actor.userId ?? nobody);
  const rows = await ctx.db
    .select({ change: subscriptionChanges, title: ratePlans.title })
    .from(subscriptionChanges)
    .innerJoin(ratePlans, eq(ratePlans.id, subscriptionChanges.ratePlanId))
    .where(own)
    .orderBy(desc(subscriptionChanges.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(subscriptionChanges, own);
  return {
    entries: rows.map(({ change: { id, kind, period, amount, createdAt }, title }) => ({
      id,
      kind,
      plan: title,
      period,
      amount,
      date: createdAt.toISOString(),
    })),
    page,
    page_size,
    total,
  };
}

export async function subscriptionStats(ctx: Context) {
  const userId = ctx.actor.userId ?? nobody;
  const subscription = await subscriptionOf(ctx.db, userId);
  const quota = await quotaOf(ctx, userId);
  return {
    plan: subscription.plan.title,
    is_default: subscription.is_default,
    execution_used: quota.execution_used,
    execution_total: quota.subscription_total,
    projects_used: quota.projects_used,
    projects_total: quota.projects_total,
    next_billing: subscription.next_billing,
    units_spent: await spentUnits(ctx.db, userId, inArray(ledgerTransactions.kind, ['subscription', 'refund'])),
  };
}
