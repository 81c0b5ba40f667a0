import type { Subscription } from '@atoll/contract';
import { count, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { planById } from '../../plans/service/plans.ts';
import { ratePlans } from '../../plans/table.ts';
import { users } from '../../users/table.ts';
import { subscriptions } from '../table.ts';
import { record, setPlan } from './record.ts';
import { standingOf, subscriptionOf } from './standing.ts';
import { endTrial } from './trials.ts';

/**
 * For admins: a plan without payment, until an admin changes it. A subscription or a trial ends with it; what was paid is not
 * paid back by itself, that is a credit with a reason.
 */
export async function assignPlan(ctx: Context, userId: string, ratePlanId: string): Promise<Subscription> {
  return ctx.write(async (write) => {
    const standing = await standingOf(write.tx, userId, true);
    const plan = await planById(write.tx, ratePlanId);
    if (!plan || standing.user.isGuest) throw notFound(plan ? 'This person' : 'This plan');
    await endTrial(ctx, write, standing, 'subscribed');
    await write.tx.delete(subscriptions).where(eq(subscriptions.userId, userId));
    await setPlan(ctx, write, standing.user, plan);
    await record(
      ctx,
      write,
      { userId, kind: 'assigned', ratePlanId, period: 'monthly', amount: 0 },
      `An admin gave you ${plan.title}`,
    );
    return subscriptionOf(write.tx, userId);
  });
}

/** For admins: who pays for what, newest first. */
export async function listSubscriptions(ctx: Context, { page, page_size }: { page: number; page_size: number }) {
  const rows = await ctx.db
    .select({
      row: subscriptions,
      plan: { id: ratePlans.id, title: ratePlans.title },
      user: { id: users.id, user_name: users.userName, email: users.email },
    })
    .from(subscriptions)
    .innerJoin(ratePlans, eq(ratePlans.id, subscriptions.ratePlanId))
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .orderBy(desc(subscriptions.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const [all] = await ctx.db.select({ total: count() }).from(subscriptions);
  const entries = rows.map(({ row, plan, user }) => ({
    id: row.id,
    user,
    plan,
    period: row.period,
    paid: row.paid,
    next_billing: row.nextBillingAt.toISOString(),
    canceled_at: row.canceledAt?.toISOString() ?? null,
    is_due: row.graceUntil !== null,
    created_at: row.createdAt.toISOString(),
  }));
  return { entries, page, page_size, total: all?.total ?? 0 };
}
