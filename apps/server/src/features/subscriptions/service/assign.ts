import type { Subscription } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { planById } from '../../plans/service/plans.ts';
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
