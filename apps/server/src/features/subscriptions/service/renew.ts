import { eq, lte } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { planByName, priceAt } from '../../plans/service/plans.ts';
import { inWords, moveUnits, NotEnoughUnits } from '../../wallet/service/units.ts';
import { subscriptions } from '../table.ts';
import { type BillingPayload, billingKind, enqueueBilling, graceDays } from './billing-queue.ts';
import { daysFrom, periodAt } from './periods.ts';
import { record, setPlan } from './record.ts';
import { type Standing, standingOf } from './standing.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const billingJob = defineJob<BillingPayload>({
  ...billingKind,
  concurrency: 4,
  async run({ ctx, payload: { user_id, step, time }, finish }) {
    await finish(async (write) => {
      const standing = await standingOf(write.tx, user_id, true).catch(() => null);
      if (standing?.row?.nextBillingAt.toISOString() !== time) return;
      if (step === 'notice') await giveNotice(write, standing);
      else await renew(ctx, write, user_id);
    });
  },
});

async function giveNotice(write: Write, { user, row, plan, nextPlan }: Standing): Promise<void> {
  if (!row) return;
  const on = day.format(row.nextBillingAt);
  const next = nextPlan ?? plan;
  const price = priceAt(next, row.nextPeriod ?? row.period);
  const short = user.balance < price ? `; your balance is ${inWords(user.balance)}` : '';
  const notice = row.canceledAt
    ? `${plan.title} ends on ${on}`
    : `${next.title} renews on ${on} for ${inWords(price)}${short}`;
  await write.emit('subscription.due', {
    user_id: user.id,
    key: `subscription:${row.id}:${row.nextBillingAt.toISOString()}`,
    notice,
  });
}

/**
 * Pays for the period that is due; what passed while no server ran is not made up for. Without enough units the plan stays
 * for some days, then it ends. Nothing is due before its time.
 */
export async function renew(
  ctx: Context,
  write: Write,
  userId: string,
  { isRefusalTold = false }: { isRefusalTold?: boolean } = {},
): Promise<void> {
  const standing = await standingOf(write.tx, userId, true);
  const { user, row, plan, nextPlan } = standing;
  const now = ctx.now();
  if (!row || row.nextBillingAt > now) return;
  const due = { plan: nextPlan ?? plan, period: row.nextPeriod ?? row.period };
  const price = priceAt(due.plan, due.period);
  if (row.canceledAt || price === 0) return end(ctx, write, standing, `${plan.title} has ended`);
  const anchorAt = due.period === row.period ? row.anchorAt : row.nextBillingAt;
  const { start, end: nextBillingAt } = periodAt(anchorAt, due.period, now);
  try {
    // Within a transaction of its own: a refusal leaves nothing behind.
    await write.tx.transaction((tx) =>
      moveUnits(
        ctx,
        { ...write, tx },
        {
          userId,
          amount: -price,
          kind: 'subscription',
          key: `subscription:${row.id}:${start.toISOString()}`,
          referenceId: row.id,
          note: `${due.plan.title}, ${due.period}`,
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof NotEnoughUnits) || isRefusalTold) throw error;
    return isShort(ctx, write, standing, price);
  }
  const [renewed] = await write.tx
    .update(subscriptions)
    .set({
      ratePlanId: due.plan.id,
      period: due.period,
      anchorAt,
      periodStartedAt: start,
      nextBillingAt,
      paid: price,
      nextPlanId: null,
      nextPeriod: null,
      graceUntil: null,
    })
    .where(eq(subscriptions.id, row.id))
    .returning();
  await setPlan(ctx, write, user, due.plan);
  await record(ctx, write, { userId, kind: 'renewal', ratePlanId: due.plan.id, period: due.period, amount: price });
  if (renewed) await enqueueBilling(write, renewed);
}

async function isShort(ctx: Context, write: Write, standing: Standing, price: number): Promise<void> {
  const { user, row, plan } = standing;
  if (!row) return;
  const now = ctx.now();
  if (row.graceUntil && row.graceUntil <= now)
    return end(ctx, write, standing, `${plan.title} has ended: the balance was too small to renew it`);
  if (row.graceUntil) return;
  const graceUntil = daysFrom(now, graceDays);
  const [waiting] = await write.tx
    .update(subscriptions)
    .set({ graceUntil })
    .where(eq(subscriptions.id, row.id))
    .returning();
  if (waiting) await enqueueBilling(write, waiting);
  await record(
    ctx,
    write,
    { userId: user.id, kind: 'payment_due', ratePlanId: plan.id, period: row.period, amount: 0 },
    `Add ${inWords(price - user.balance + user.reservedUnits)} by ${day.format(graceUntil)} to keep ${plan.title}`,
  );
}

/** Everything stays but the plan. */
async function end(ctx: Context, write: Write, { user, row, plan }: Standing, notice: string): Promise<void> {
  if (!row) return;
  await write.tx.delete(subscriptions).where(eq(subscriptions.id, row.id));
  await setPlan(ctx, write, user, await planByName(write.tx, 'Free'));
  const change = { userId: user.id, kind: 'ended', ratePlanId: plan.id, period: row.period, amount: 0 } as const;
  await record(ctx, write, change, notice);
}

/** Units that come in may be what a renewal waits for. */
export async function renewIfDue(ctx: Context, userId: string): Promise<void> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (row?.graceUntil) await ctx.write((write) => renew(ctx, write, userId));
}

/** For jobs that were given up: what is due is put into the queue again. */
export async function sweepSubscriptions(ctx: Context): Promise<void> {
  const due = await ctx.db.select().from(subscriptions).where(lte(subscriptions.nextBillingAt, ctx.now()));
  for (const row of due) await ctx.write((write) => enqueueBilling(write, row));
}
