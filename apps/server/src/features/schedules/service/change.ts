import type { Schedule, ScheduleSettings } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { schedules } from '../table.ts';
import { requireFile, requirePublicationFile, requireSchedule, type ScheduledFile } from './access.ts';
import { about, enqueueNext } from './queue.ts';
import { instantOf, nextTime, nextTimes, problemOf } from './times.ts';
import { scheduleViews, settingsOf } from './views.ts';

export type ScheduleChange = Partial<ScheduleSettings>;
type Answer = { schedule: Schedule | null };

export async function scheduleOfFile(ctx: Context, projectId: string, fileId: string): Promise<Answer> {
  return viewOf(ctx, await requireFile(ctx, ctx.db, { projectId, fileId }, 'schedule.view'));
}

export async function scheduleOfPublication(ctx: Context, id: string): Promise<Answer> {
  return viewOf(ctx, await requirePublicationFile(ctx, ctx.db, id, 'schedule.view'));
}

async function viewOf(ctx: Context, file: ScheduledFile): Promise<Answer> {
  const row = await find(ctx.db, file);
  const [schedule] = await scheduleViews(ctx, ctx.db, row ? [row] : []);
  return { schedule: schedule ?? null };
}

export const changeOfFile = (ctx: Context, projectId: string, fileId: string, change: ScheduleChange) =>
  ctx.write(async (write) =>
    save(ctx, write, await requireFile(ctx, write.tx, { projectId, fileId }, 'schedule.edit'), change),
  );

export const changeOfPublication = (ctx: Context, id: string, change: ScheduleChange) =>
  ctx.write(async (write) =>
    save(ctx, write, await requirePublicationFile(ctx, write.tx, id, 'schedule.edit'), change),
  );

async function find(db: Context['db'] | Write['tx'], { fileId, publicationId }: ScheduledFile, isLocked = false) {
  const query = db
    .select()
    .from(schedules)
    .where(
      publicationId
        ? eq(schedules.publicationId, publicationId)
        : and(eq(schedules.fileId, fileId), isNull(schedules.publicationId)),
    );
  const [row] = await (isLocked ? query.for('update') : query);
  return row;
}

/** An hour from now, each hour, on all days: what the spec begins with. */
const initial = (now: Date): Omit<ScheduleSettings, 'enabled'> => ({
  type: 'recurring',
  starts_at: new Date(now.getTime() + 3_600_000).toISOString(),
  time_zone: 'UTC',
  interval_type: 'hour',
  interval_value: 1,
  allowed_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  with_secrets: false,
});

async function save(ctx: Context, write: Write, file: ScheduledFile, change: ScheduleChange): Promise<Answer> {
  const now = ctx.now();
  const caller = ctx.userId;
  const before = await find(write.tx, file, true);
  const isEnabled = change.enabled ?? before?.isEnabled ?? true;
  const isOnlyPaused = before !== undefined && !isEnabled;
  const ownerId = isOnlyPaused ? before.ownerId : caller;
  const settings = { ...initial(now), ...(before && settingsOf(before)), ...change };
  const fields = {
    ...ruleOf(settings),
    // Their secrets are the choice of whoever they belong to.
    isWithSecrets: change.with_secrets ?? (ownerId === before?.ownerId && settings.with_secrets),
    isEnabled,
    ownerId,
  };
  if (isEnabled) {
    if (!file.isRunnable) throw invalidField('schedule', 'Only notebooks and scripts can be scheduled');
    const problem = problemOf(fields, now);
    if (problem) throw invalidField(problem.field, problem.message);
  }
  const values = {
    ...fields,
    nextRunAt: isEnabled ? nextTime(fields, now) : null,
    updatedAt: now,
    isAwaitingReview: false,
    ...(isEnabled && { failuresInRow: 0, pausedReason: null }),
  };
  const [row] = before
    ? await write.tx.update(schedules).set(values).where(eq(schedules.id, before.id)).returning()
    : await write.tx
        .insert(schedules)
        .values({
          ...values,
          projectId: file.project.id,
          fileId: file.fileId,
          publicationId: file.publicationId,
          createdAt: now,
        })
        .onConflictDoNothing()
        .returning();
  // Another request was first: what this one wants comes on top of it.
  if (!row) return save(ctx, write, file, change);
  await enqueueNext(write, row);
  if (before) await write.emit('schedule.updated', { ...about(row), fields: Object.keys(change) });
  else await write.emit('schedule.created', about(row));
  const [view] = await scheduleViews(ctx, write.tx, [row]);
  return { schedule: view ?? null };
}

export const deleteSchedule = (ctx: Context, id: string): Promise<void> =>
  ctx.write(async (write) => {
    const { schedule } = await requireSchedule(ctx, write.tx, id, 'schedule.edit');
    const deleted = await write.tx.delete(schedules).where(eq(schedules.id, id)).returning({ id: schedules.id });
    if (deleted.length === 0) throw notFound('This schedule');
    await write.emit('schedule.deleted', about(schedule));
  });

export async function previewTimes(ctx: Context, settings: Omit<ScheduleSettings, 'with_secrets'>) {
  const rule = ruleOf(settings);
  const now = ctx.now();
  const problem = problemOf(rule, now);
  if (problem) throw invalidField(problem.field, problem.message);
  return { next_times: nextTimes(rule, now, 5).map((time) => time.toISOString()) };
}

const ruleOf = (settings: Omit<ScheduleSettings, 'with_secrets' | 'enabled'>) => ({
  type: settings.type,
  startsAt: instantOf(settings.starts_at, settings.time_zone),
  timeZone: settings.time_zone,
  intervalType: settings.interval_type,
  intervalValue: settings.interval_value,
  allowedDays: settings.allowed_days,
});
