import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { hasNoJob } from '../../../platform/jobs/enqueue.ts';
import { jobsTable } from '../../../platform/jobs/table.ts';
import { runs } from '../../runs/table.ts';
import { scheduleFirings, schedules } from '../table.ts';
import { allFired, end, endRun } from './end.ts';
import { about, enqueueNext, fireKind } from './queue.ts';
import { nextTime } from './times.ts';

const page = 500;
/** Longer than a job that starts a run takes. */
const startMs = 15 * 60_000;

/**
 * Puts right what a clock that stepped, new rules of a time zone, or a job that was given up has left: the next times, and
 * firings whose run has ended or never began.
 */
export async function sweepSchedules(ctx: Context): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await ctx.db
      .select()
      .from(schedules)
      .where(and(eq(schedules.isEnabled, true), last ? sql`${schedules.id} > ${last}` : undefined))
      .orderBy(schedules.id)
      .limit(page);
    for (const { id } of rows) await ctx.write((write) => putRight(ctx, write, id));
    last = rows.at(-1)?.id ?? '';
    if (rows.length < page) break;
  }
  const ended = await ctx.db
    .select({ runId: runs.id })
    .from(scheduleFirings)
    .innerJoin(runs, eq(runs.id, scheduleFirings.runId))
    .where(and(eq(scheduleFirings.state, 'running'), isNotNull(runs.endedAt)));
  for (const { runId } of ended) await endRun(ctx, runId);
  const stuck = await allFired(ctx).where(
    and(
      eq(scheduleFirings.state, 'running'),
      sql`${scheduleFirings.runId} is null`,
      lt(scheduleFirings.startedAt, new Date(ctx.now().getTime() - startMs)),
      hasNoJob(ctx.db, [fireKind], sql`${jobsTable.payload} ->> 'schedule_id' = ${schedules.id}::text`),
    ),
  );
  for (const fired of stuck) await end(ctx, fired, 'The run could not be started.');
}

async function putRight(ctx: Context, write: Write, id: string): Promise<void> {
  const [row] = await write.tx.select().from(schedules).where(eq(schedules.id, id)).for('update');
  if (!row?.isEnabled || !row.nextRunAt) return;
  const now = ctx.now();
  if (row.nextRunAt > now) {
    const nextRunAt = nextTime(row, now);
    if (nextRunAt?.getTime() !== row.nextRunAt.getTime()) {
      const [changed] = await write.tx.update(schedules).set({ nextRunAt }).where(eq(schedules.id, id)).returning();
      if (changed) await enqueueNext(write, changed);
      await write.emit('schedule.updated', { ...about(row), fields: ['next_run_at'] });
      return;
    }
  }
  await enqueueNext(write, row);
}
