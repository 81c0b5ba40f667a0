import type { EndpointInput } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Context } from '../../../platform/context.ts';
import { containing } from '../../../platform/like.ts';
import { ratePlans } from '../../plans/table.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { subscriptions } from '../../subscriptions/table.ts';
import { userSearchText, users } from '../../users/table.ts';
import { countUpTo } from './count-up-to.ts';

export async function listSubscriptions(
  ctx: Context,
  { search, plan, page, page_size }: EndpointInput<'admin', 'subscriptions'>,
) {
  const nextPlans = alias(ratePlans, 'next_plans');
  const pattern = containing(search?.toLowerCase() ?? '');
  const isMeant = and(
    search
      ? sql`${subscriptions.userId} in (select id from ${users} where ${userSearchText(users)} like ${pattern})`
      : undefined,
    plan
      ? sql`${subscriptions.ratePlanId} = (select id from ${ratePlans} where ${ratePlans.name} = ${plan})`
      : undefined,
  );
  const rows = await ctx.db
    .select({ row: subscriptions, plan: ratePlans.title, nextPlan: nextPlans.title })
    .from(subscriptions)
    .innerJoin(ratePlans, eq(ratePlans.id, subscriptions.ratePlanId))
    .leftJoin(nextPlans, eq(nextPlans.id, subscriptions.nextPlanId))
    .where(isMeant)
    .orderBy(subscriptions.nextBillingAt, subscriptions.id)
    .limit(page_size)
    .offset((page - 1) * page_size);
  const counted = await countUpTo(ctx, sql`select 1 from ${subscriptions} where ${isMeant ?? sql`true`}`);
  const people = await loadPeopleOf(ctx.db, rows, ({ row }) => row.userId);
  return {
    entries: rows.flatMap(({ row, plan, nextPlan }) => {
      const person = people.get(row.userId);
      if (!person) return [];
      return {
        id: row.id,
        person,
        plan,
        next_plan: nextPlan,
        is_yearly: row.period === 'yearly',
        next_billing_at: row.nextBillingAt.toISOString(),
        canceled_at: row.canceledAt?.toISOString() ?? null,
        is_in_grace: row.graceUntil !== null,
      };
    }),
    page,
    page_size,
    ...counted,
  };
}
