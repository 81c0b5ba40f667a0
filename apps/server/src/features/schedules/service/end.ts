import { and, eq, isNotNull } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { startForFiring } from '../../deliveries/service/start.ts';
import type { DeliveryRow } from '../../deliveries/table.ts';
import { unseenReason } from '../../files/service/changes.ts';
import { unattendedRunner } from '../../projects/service/unattended.ts';
import { publish } from '../../publications/service/publish.ts';
import { executionsOf } from '../../runs/service/read.ts';
import { type RunRow, runs } from '../../runs/table.ts';
import { users } from '../../users/table.ts';
import { type FiringRow, type ScheduleRow, scheduleFirings, schedules } from '../table.ts';
import { about } from './queue.ts';

const mostFailures = 3;
export const lostRights = 'You may no longer run code in this project.';

export async function isSuspended({ tx }: Write, userId: string): Promise<boolean> {
  const [user] = await tx.select({ at: users.suspendedAt }).from(users).where(eq(users.id, userId));
  return user?.at != null;
}

export interface Fired {
  firing: FiringRow;
  schedule: ScheduleRow;
}

export const allFired = (ctx: Context) =>
  ctx.db
    .select({ firing: scheduleFirings, schedule: schedules })
    .from(scheduleFirings)
    .innerJoin(schedules, eq(schedules.id, scheduleFirings.scheduleId));

export const runnerOf = (ctx: Context, { firing, schedule }: Fired) =>
  unattendedRunner(ctx, firing.starterId ?? schedule.ownerId, schedule.projectId);

/** A run has ended: what was scheduled is published, and the firing ends. */
export async function endRun(ctx: Context, runId: string): Promise<void> {
  const [row] = await ctx.db
    .select({ firing: scheduleFirings, schedule: schedules, run: runs })
    .from(scheduleFirings)
    .innerJoin(schedules, eq(schedules.id, scheduleFirings.scheduleId))
    .innerJoin(runs, eq(runs.id, scheduleFirings.runId))
    .where(and(eq(runs.id, runId), eq(scheduleFirings.state, 'running'), isNotNull(runs.endedAt)));
  if (!row) return;
  const outcome = await outcomeOf(ctx, row);
  // A cell can raise an error with these words too.
  const isHeldBack = outcome === unseenReason && (await executionsOf(ctx.db, runId)).length === 0;
  // Its end is the end of this too.
  if (outcome !== 'delivering') await end(ctx, row, outcome, { isHeldBack });
}

export async function endDelivery(ctx: Context, firingId: string, reason: string | null): Promise<void> {
  const [row] = await allFired(ctx).where(eq(scheduleFirings.id, firingId));
  if (row?.firing.state === 'running') await end(ctx, row, reason);
}

/** Null when all went well, otherwise why not. */
async function outcomeOf(ctx: Context, fired: Fired & { run: RunRow }): Promise<string | 'delivering' | null> {
  const { run, schedule, firing } = fired;
  if (run.status !== 'ok') return run.errorReason ?? 'The run did not succeed.';
  if (!schedule.publicationId) return null;
  if (!run.resultBlob) return 'The run left nothing to publish.';
  const theirs = await runnerOf(ctx, fired);
  if (!theirs) return lostRights;
  try {
    const { publicationId } = schedule;
    let delivery: DeliveryRow | null = null;
    await publish(
      theirs,
      schedule.fileId,
      { publish_version: true },
      {
        source: { blob: run.resultBlob, fileVersionId: run.versionId },
        // In one transaction with the version: it is this one that is delivered.
        async settle(write) {
          delivery = await startForFiring(theirs.within(write), publicationId, firing.id);
        },
      },
    );
    return outcomeOfDelivery(delivery);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const outcomeOfDelivery = (delivery: DeliveryRow | null) =>
  delivery && !delivery.endedAt ? 'delivering' : delivery?.state === 'failed' ? delivery.reason : null;

interface EndOptions {
  /** Others changed what it runs, and its owner has not looked at that. */
  isHeldBack?: boolean;
}

/** Once; after several failures in a row the schedule is paused. */
export async function end(
  ctx: Context,
  { firing, schedule }: Fired,
  reason: string | null,
  { isHeldBack = false }: EndOptions = {},
): Promise<undefined> {
  await ctx.write(async (write) => {
    const [now] = await write.tx.select().from(schedules).where(eq(schedules.id, schedule.id)).for('update');
    // What ends with the account is no failure of the schedule.
    const isInterrupted = reason !== null && (await isSuspended(write, firing.starterId ?? schedule.ownerId));
    const state = reason === null ? 'succeeded' : isInterrupted ? 'skipped' : isHeldBack ? 'stopped' : 'failed';
    const ended = await write.tx
      .update(scheduleFirings)
      .set({ state, reason, endedAt: ctx.now() })
      .where(and(eq(scheduleFirings.id, firing.id), eq(scheduleFirings.state, 'running')))
      .returning({ id: scheduleFirings.id });
    if (!now || ended.length === 0) return;
    const failuresInRow = state === 'succeeded' ? 0 : now.failuresInRow + (state === 'failed' ? 1 : 0);
    const isFailing = state === 'failed' && now.isEnabled && failuresInRow >= mostFailures;
    // One that stopped keeps still until its owner has accepted the changes.
    const isPaused = isFailing || (state === 'stopped' && !now.isAwaitingReview);
    await write.tx
      .update(schedules)
      .set({
        failuresInRow,
        ...(isFailing && { isEnabled: false, nextRunAt: null, pausedReason: reason }),
        ...(state === 'stopped' && { nextRunAt: null, isAwaitingReview: true }),
      })
      .where(eq(schedules.id, schedule.id));
    await write.emit('schedule.ended', {
      ...about(now),
      firing_id: firing.id,
      state,
      reason,
      is_paused: isPaused,
    });
  });
}
