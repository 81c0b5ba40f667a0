import type { BillingPeriod, EndpointInput, PlanChange, Subscription } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { planById, priceAt } from '../../plans/service/plans.ts';
import type { RatePlanRow } from '../../plans/table.ts';
import { inWords, moveUnits } from '../../wallet/service/units.ts';
import { type SubscriptionRow, subscriptions } from '../table.ts';
import { enqueueBilling } from './billing-queue.ts';
import { periodStart } from './periods.ts';
import { record, setPlan } from './record.ts';
import { renew } from './renew.ts';
import { type Standing, standingOf, subscriptionOf } from './standing.ts';
import { endTrial } from './trials.ts';

type Wanted = EndpointInput<'subscriptions', 'preview'>;

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

export async function previewChange(ctx: Context, wanted: Wanted): Promise<PlanChange> {
  const standing = await standingOf(ctx.db, ctx.actor.userId ?? nobody);
  return planChangeTo(standing, await offered(ctx.db, standing, wanted), wanted.period, ctx.now());
}

export async function changePlan(
  ctx: Context,
  wanted: Wanted,
): Promise<{ subscription: Subscription; change: PlanChange }> {
  return ctx.write(async (write) => {
    const userId = ctx.actor.userId ?? nobody;
    const standing = await standingOf(write.tx, userId, true);
    const plan = await offered(write.tx, standing, wanted);
    const change = planChangeTo(standing, plan, wanted.period, ctx.now());
    await carryOut(ctx, write, standing, { plan, period: wanted.period, change });
    return { subscription: await subscriptionOf(write.tx, userId), change };
  });
}

async function offered(db: Context['db'] | Write['tx'], { plan: present, trial }: Standing, { rate_plan_id }: Wanted) {
  const plan = await planById(db, rate_plan_id);
  if (!plan) throw notFound('This plan');
  if (plan.id === present.id && !trial) return plan;
  if (plan.withdrawnAt) throw new AppError('conflict', `${plan.title} is no longer offered. Choose another plan.`);
  if (plan.price === null || plan.annualPrice === null)
    throw new AppError('conflict', `${plan.title} is by agreement. Contact us.`);
  return plan;
}

/** What changing would mean, as it is said before and after. */
function planChangeTo(standing: Standing, plan: RatePlanRow, period: BillingPeriod, now: Date): PlanChange {
  const { user, row, trial, projectCount } = standing;
  // A trial is nothing that was paid: what is chosen is compared with what follows it.
  const present = (trial && standing.nextPlan) ?? standing.plan;
  const room = plan.maxProjects;
  const over = room === null || user.role === 'admin' ? 0 : Math.max(0, projectCount - room);
  const answer = (
    kind: PlanChange['kind'],
    message: string,
    more: { amount?: number; at?: Date } = {},
  ): PlanChange => ({
    kind,
    amount: more.amount ?? 0,
    effective_at: (more.at ?? now).toISOString(),
    balance: user.balance,
    projects_over: over,
    message:
      over > 0
        ? `${message} You have ${projectCount} projects and ${plan.title} includes ${room}: all of them stay, and you can create new ones when you have fewer than ${room}.`
        : message,
  });
  const isSame = plan.id === present.id && (!row || row.period === period);
  if (isSame && row && (row.nextPlanId || row.graceUntil)) return answer('keep', `You keep ${plan.title}.`);
  if (isSame) return answer('none', trial ? `${plan.title} follows your trial.` : `${plan.title} is your plan.`);
  if (!row && rank(present) > rank(plan))
    throw new AppError('conflict', `${present.title} was set up by an admin. Contact us to change it.`);
  if (row && isLater(row, present, plan, period)) {
    const on = day.format(row.nextBillingAt);
    return plan.price === 0
      ? answer('cancel', `${present.title} ends on ${on}. Then ${plan.title} begins.`, { at: row.nextBillingAt })
      : answer('downgrade', `${plan.title} begins on ${on}. Until then you keep ${present.title}.`, {
          at: row.nextBillingAt,
        });
  }
  const price = priceAt(plan, period);
  const credit = row ? unused(row, now) : 0;
  const less = credit > 0 ? `: ${inWords(price)} less ${inWords(credit)} for the rest of ${present.title}` : '';
  const pays =
    price < credit ? `You get ${inWords(credit - price)} back${less}.` : `You pay ${inWords(price - credit)}${less}.`;
  return answer('upgrade', `${plan.title} begins now. ${pays}`, { amount: price - credit });
}

/** What is by agreement is above all that has a price. */
const rank = ({ price }: RatePlanRow) => price ?? Number.POSITIVE_INFINITY;

const isLater = (row: SubscriptionRow, present: RatePlanRow, plan: RatePlanRow, period: BillingPeriod) =>
  rank(plan) < rank(present) || (plan.id === present.id && row.period === 'yearly' && period === 'monthly');

/** Of what was paid, for the time that is left; nothing of a period that was not paid. */
function unused({ paid, periodStartedAt, nextBillingAt }: SubscriptionRow, now: Date): number {
  const left = nextBillingAt.getTime() - Math.max(now.getTime(), periodStartedAt.getTime());
  const whole = nextBillingAt.getTime() - periodStartedAt.getTime();
  return Math.max(0, Math.floor((paid * left) / whole));
}

async function carryOut(
  ctx: Context,
  write: Write,
  standing: Standing,
  { plan, period, change }: { plan: RatePlanRow; period: BillingPeriod; change: PlanChange },
): Promise<void> {
  const { user, row } = standing;
  const now = ctx.now();
  const { kind, amount } = change;
  if (kind === 'none') return;
  if (kind === 'upgrade') {
    const id = row?.id ?? newId();
    if (amount !== 0)
      await moveUnits(ctx, write, {
        userId: user.id,
        amount: -amount,
        kind: amount > 0 ? 'subscription' : 'refund',
        key: `subscription:${id}:${newId()}`,
        referenceId: id,
        note: `${plan.title}, ${period}`,
      });
    const fields = {
      ratePlanId: plan.id,
      period,
      anchorAt: now,
      periodStartedAt: now,
      nextBillingAt: periodStart(now, period, 1),
      paid: priceAt(plan, period),
      nextPlanId: null,
      nextPeriod: null,
      canceledAt: null,
      graceUntil: null,
    };
    const [changed] = await write.tx
      .insert(subscriptions)
      .values({ id, userId: user.id, createdAt: now, ...fields })
      .onConflictDoUpdate({ target: subscriptions.userId, set: fields })
      .returning();
    await endTrial(ctx, write, standing, 'subscribed');
    await setPlan(ctx, write, user, plan);
    if (changed) await enqueueBilling(write, changed);
  } else if (row) {
    await write.tx
      .update(subscriptions)
      .set({
        nextPlanId: kind === 'keep' ? null : plan.id,
        nextPeriod: kind === 'keep' ? null : period,
        canceledAt: kind === 'cancel' ? now : null,
      })
      .where(eq(subscriptions.id, row.id));
  }
  await record(ctx, write, { userId: user.id, kind, ratePlanId: plan.id, period, amount });
  // Whoever keeps a plan whose payment is due pays it now.
  if (kind === 'keep' && row?.graceUntil) await renew(ctx, write, user.id, { isRefusalTold: true });
}
