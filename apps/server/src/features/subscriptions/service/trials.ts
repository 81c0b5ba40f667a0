import { defaultPlan } from '@atoll/contract';
import { and, eq, gte, inArray, isNull, lt, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import { ledgerEntries, ledgerTransactions } from '../../ledger/table.ts';
import { planById, planByName } from '../../plans/service/plans.ts';
import { userRoles } from '../../users/table.ts';
import { spentUnits } from '../../wallet/service/entries.ts';
import { moveUnits } from '../../wallet/service/units.ts';
import { type TrialRow, trials } from '../table.ts';
import { noticeDays } from './billing-queue.ts';
import { daysFrom } from './periods.ts';
import { record, setPlan } from './record.ts';
import { type Standing, standingOf } from './standing.ts';

interface TrialPayload {
  user_id: string;
  step: 'notice' | 'expiry';
  /** The end it is about: for another one than the present it does nothing. */
  time: string;
}

const trialKind: JobKind<TrialPayload> = {
  kind: 'subscriptions.trial',
  payload: z.object({ user_id: z.uuid(), step: z.enum(['notice', 'expiry']), time: z.iso.datetime() }),
};

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

export interface NewTrial {
  userId: string;
  ratePlanId: string;
  days: number;
  /** Units that were given for it: what is left of them ends with it. */
  units: number;
  roleIds: string[];
}

/** A plan for some days, without payment; once for each person, and not for who pays already. */
export async function startTrial(ctx: Context, write: Write, trial: NewTrial): Promise<boolean> {
  const standing = await standingOf(write.tx, trial.userId, true);
  const plan = await planById(write.tx, trial.ratePlanId);
  if (standing.row || !plan || standing.plan.name !== defaultPlan) return false;
  const startedAt = ctx.now();
  const [row] = await write.tx
    .insert(trials)
    .values({ ...trial, startedAt, expiresAt: daysFrom(startedAt, trial.days), roleIds: [] })
    .onConflictDoNothing()
    .returning();
  if (!row) return false;
  const given = trial.roleIds.length
    ? await write.tx
        .insert(userRoles)
        .values(trial.roleIds.map((roleId) => ({ userId: trial.userId, roleId })))
        .onConflictDoNothing()
        .returning()
    : [];
  // Roles that the person had before stay afterwards.
  await write.tx
    .update(trials)
    .set({ roleIds: given.map(({ roleId }) => roleId) })
    .where(eq(trials.userId, trial.userId));
  await setPlan(ctx, write, standing.user, plan);
  await record(
    ctx,
    write,
    { userId: trial.userId, kind: 'trial', ratePlanId: plan.id, period: 'monthly', amount: 0 },
    `You have ${plan.title} until ${day.format(row.expiresAt)}`,
  );
  await enqueueTrial(write, row);
  return true;
}

/** For admins: some days more, for a trial that has not ended. */
export async function extendTrial(ctx: Context, userId: string, days: number): Promise<Date> {
  return ctx.write(async (write) => {
    const { trial, plan } = await standingOf(write.tx, userId, true);
    if (!trial) throw new AppError('conflict', 'This person has no trial that could be extended.');
    const expiresAt = daysFrom(trial.expiresAt, days);
    const [row] = await write.tx
      .update(trials)
      .set({ expiresAt, extendedAt: ctx.now(), extensionDays: (trial.extensionDays ?? 0) + days })
      .where(eq(trials.userId, userId))
      .returning();
    if (!row) throw notFound('This trial');
    await record(
      ctx,
      write,
      { userId, kind: 'trial', ratePlanId: plan.id, period: 'monthly', amount: 0 },
      `You have ${plan.title} until ${day.format(expiresAt)}`,
    );
    await enqueueTrial(write, row);
    return expiresAt;
  });
}

/** For admins: at once. */
export async function stopTrial(ctx: Context, userId: string): Promise<void> {
  await ctx.write(async (write) => endTrial(ctx, write, await standingOf(write.tx, userId, true), 'ended'));
}

/** Everything that was made stays; the plan, its roles and what is left of its units do not. */
export async function endTrial(
  ctx: Context,
  write: Write,
  { user, trial, plan }: Standing,
  endReason: NonNullable<TrialRow['endReason']>,
): Promise<void> {
  if (!trial) return;
  await write.tx.update(trials).set({ endedAt: ctx.now(), endReason }).where(eq(trials.userId, user.id));
  if (trial.roleIds.length > 0)
    await write.tx
      .delete(userRoles)
      .where(and(eq(userRoles.userId, user.id), inArray(userRoles.roleId, trial.roleIds)));
  if (endReason === 'subscribed') return;
  await setPlan(ctx, write, user, await planByName(write.tx, defaultPlan));
  const left = Math.min(user.balance - user.reservedUnits, Math.max(0, trial.units - (await spentSince(write, trial))));
  if (left > 0)
    await moveUnits(ctx, write, {
      userId: user.id,
      amount: -left,
      kind: 'trial_expiry_adjustment',
      key: `trial:${user.id}:expiry`,
      note: `Units of the ${plan.title} trial that were not used`,
    });
  await record(
    ctx,
    write,
    { userId: user.id, kind: 'trial_ended', ratePlanId: plan.id, period: 'monthly', amount: 0 },
    `Your trial of ${plan.title} has ended`,
  );
}

/** Units of the trial are spent before one's own. */
const spentSince = ({ tx }: Write, { userId, startedAt }: TrialRow): Promise<number> =>
  spentUnits(tx, userId, lt(ledgerEntries.amount, 0), gte(ledgerTransactions.createdAt, startedAt));

async function enqueueTrial({ enqueue }: Write, { userId, expiresAt }: TrialRow): Promise<void> {
  const time = expiresAt.toISOString();
  const due = { notice: daysFrom(expiresAt, -noticeDays), expiry: expiresAt };
  for (const [step, dueAt] of Object.entries(due) as [TrialPayload['step'], Date][])
    await enqueue(trialKind, { user_id: userId, step, time }, { key: `${userId}:trial:${step}:${time}`, dueAt });
}

export const trialJob = defineJob<TrialPayload>({
  ...trialKind,
  concurrency: 4,
  async run({ ctx, payload: { user_id, step, time }, finish }) {
    await finish(async (write) => {
      const standing = await standingOf(write.tx, user_id, true).catch(() => null);
      if (standing?.trial?.expiresAt.toISOString() !== time) return;
      if (step === 'expiry' && standing.trial.expiresAt <= ctx.now()) return endTrial(ctx, write, standing, 'expired');
      if (step === 'notice')
        await write.emit('subscription.due', {
          user_id,
          key: `trial:${user_id}:${time}`,
          notice: `Your trial of ${standing.plan.title} ends on ${day.format(standing.trial.expiresAt)}`,
        });
    });
  },
});

/** For jobs that were given up. */
export async function sweepTrials(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(trials)
    .where(and(isNull(trials.endedAt), lte(trials.expiresAt, ctx.now())));
  for (const row of due) await ctx.write((write) => enqueueTrial(write, row));
}
