import type { Firing } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { UnseenChanges } from '../../files/service/changes.ts';
import { projects } from '../../projects/table.ts';
import { startRun } from '../../runs/service/start.ts';
import { type FiringRow, type ScheduleRow, scheduleFirings, schedules } from '../table.ts';
import { requireSchedule } from './access.ts';
import { allFired, end, isSuspended, lostRights, runnerOf } from './end.ts';
import { about, enqueueNext, type FirePayload, fireKind } from './queue.ts';
import { countTimes, nextTime } from './times.ts';
import { firingView, readerOf } from './views.ts';

/** More are not counted. */
const mostMissed = 1_000;

/** One time comes: it is noted once and for all, together with the job that starts what is scheduled. */
export const fireJob = defineJob<FirePayload>({
  ...fireKind,
  concurrency: 8,
  async run({ ctx, payload, finish }) {
    if (payload.firing_id) return start(ctx, payload.firing_id);
    await finish(async (write) => {
      const firing = await note(ctx, write, payload);
      if (firing?.state === 'running') await enqueueStart(write, firing);
    });
  },
});

const enqueueStart = ({ enqueue }: Write, { id, scheduleId, scheduledFor }: FiringRow) =>
  enqueue(fireKind, { schedule_id: scheduleId, time: scheduledFor.toISOString(), firing_id: id }, { key: id });

async function note(ctx: Context, write: Write, { schedule_id, time }: FirePayload): Promise<FiringRow | null> {
  const now = ctx.now();
  const [schedule] = await write.tx.select().from(schedules).where(eq(schedules.id, schedule_id)).for('update');
  // Changed, paused or deleted since.
  if (schedule?.nextRunAt?.toISOString() !== time) return null;
  // It rests with the account: when that is back, this time is due.
  if (await isSuspended(write, schedule.ownerId)) return null;
  const [project] = await write.tx.select().from(projects).where(eq(projects.id, schedule.projectId));
  const nextRunAt = nextTime(schedule, now);
  const [after] = await write.tx
    .update(schedules)
    .set({ nextRunAt, isEnabled: nextRunAt !== null, lastRunAt: now })
    .where(eq(schedules.id, schedule.id))
    .returning();
  if (!after) return null;
  await enqueueNext(write, after);
  const skipped = project?.deletedAt
    ? 'The project is in the bin.'
    : (await isRunning(write, schedule.id))
      ? 'The run before it had not ended.'
      : null;
  return insert(ctx, write, after, {
    scheduledFor: schedule.nextRunAt,
    trigger: 'schedule',
    missedCount: countTimes(schedule, schedule.nextRunAt, now, mostMissed),
    skipped,
  });
}

async function isRunning({ tx }: Write, scheduleId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: scheduleFirings.id })
    .from(scheduleFirings)
    .where(and(eq(scheduleFirings.scheduleId, scheduleId), eq(scheduleFirings.state, 'running')))
    .limit(1);
  return found !== undefined;
}

interface NewFiring {
  scheduledFor: Date;
  trigger: FiringRow['trigger'];
  starterId?: string | null;
  missedCount?: number;
  skipped: string | null;
}

async function insert(
  ctx: Context,
  write: Write,
  schedule: ScheduleRow,
  { skipped, ...fields }: NewFiring,
): Promise<FiringRow | null> {
  const now = ctx.now();
  const state = skipped === null ? ('running' as const) : ('skipped' as const);
  const [row] = await write.tx
    .insert(scheduleFirings)
    .values({
      ...fields,
      scheduleId: schedule.id,
      state,
      reason: skipped,
      startedAt: now,
      endedAt: skipped === null ? null : now,
    })
    // A clock that was set back brings a time a second time.
    .onConflictDoNothing()
    .returning();
  if (!row) return null;
  if (skipped === null) await write.emit('schedule.fired', { ...about(schedule), firing_id: row.id });
  else
    await write.emit('schedule.ended', {
      ...about(schedule),
      firing_id: row.id,
      state: 'skipped',
      reason: skipped,
      is_paused: false,
    });
  return row;
}

/** Now, in the caller's name. */
export async function runNow(ctx: Context, id: string): Promise<Firing> {
  const firing = await ctx.write(async (write) => {
    const { schedule } = await requireSchedule(ctx, write.tx, id, 'schedule.edit');
    const [locked] = await write.tx
      .select({ id: schedules.id })
      .from(schedules)
      .where(eq(schedules.id, id))
      .for('update');
    if (!locked) throw notFound('This schedule');
    if (await isRunning(write, id)) throw new AppError('conflict', 'It is running already.');
    const scheduledFor = ctx.now();
    const row = await insert(ctx, write, schedule, {
      scheduledFor,
      trigger: 'manual',
      starterId: ctx.actor.userId,
      skipped: null,
    });
    if (!row) throw new AppError('conflict', 'It is running already.');
    await enqueueStart(write, row);
    return row;
  });
  return firingView(firing);
}

async function start(ctx: Context, firingId: string): Promise<undefined> {
  const [found] = await allFired(ctx).where(eq(scheduleFirings.id, firingId));
  if (found?.firing.state !== 'running' || found.firing.runId) return;
  const { firing, schedule } = found;
  const theirs = await runnerOf(ctx, found);
  if (!theirs) return end(ctx, found, lostRights);
  const isOwners = theirs.userId === schedule.ownerId;
  try {
    await startRun(
      theirs,
      {
        id: schedule.projectId,
        project_file_id: schedule.fileId,
        // Whether secrets may be in it was the owner's choice, for their own.
        with_secrets: schedule.isWithSecrets && isOwners,
      },
      {
        type: 'scheduled',
        requiredReview: isOwners ? readerOf(schedule).requires : null,
        // Started and noted together: whoever is killed when, it is started once.
        alongside: async ({ tx }, { id }) => {
          const noted = await tx
            .update(scheduleFirings)
            .set({ runId: id })
            .where(and(eq(scheduleFirings.id, firing.id), sql`${scheduleFirings.runId} is null`))
            .returning({ id: scheduleFirings.id });
          if (noted.length === 0) throw new AlreadyStarted();
        },
      },
    );
  } catch (error) {
    if (error instanceof AlreadyStarted) return;
    if (!(error instanceof AppError)) throw error;
    await end(ctx, found, error.message, { isHeldBack: error instanceof UnseenChanges });
  }
}

class AlreadyStarted extends Error {}
