import { Cron } from 'croner';
import { and, eq, lte, notInArray } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import type { JobSchedule } from './definition.ts';
import { enqueue } from './enqueue.ts';
import { jobSchedules } from './table.ts';

const startDelayMs = 60_000;

/** The next time after this one; times that a stopped server missed count as one. */
export function nextTime({ cron, timezone = 'UTC' }: Pick<JobSchedule, 'cron' | 'timezone'>, after: Date): Date {
  const next = new Cron(cron, { timezone, paused: true }).nextRun(after);
  if (!next) throw new Error(`The schedule ${cron} has no next time`);
  return next;
}

/** Keeps one row for each declared schedule and deletes the rows of removed ones. */
export async function prepareSchedules(db: Database, now: Date, schedules: Record<string, JobSchedule>): Promise<void> {
  const names = Object.keys(schedules);
  if (names.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.delete(jobSchedules).where(notInArray(jobSchedules.name, names));
    for (const [name, schedule] of Object.entries(schedules)) {
      const next = nextTime(schedule, now);
      const soon = new Date(now.getTime() + startDelayMs);
      const nextAt = schedule.isRunAtStart && soon < next ? soon : next;
      await tx
        .insert(jobSchedules)
        .values({ name, nextAt })
        .onConflictDoUpdate({ target: jobSchedules.name, set: schedule.isRunAtStart ? { nextAt } : { name } });
    }
  });
}

/** Turns each time of a schedule into one job; the first server to see it wins. */
export async function enqueueDueSchedules(
  db: Database,
  now: Date,
  schedules: Record<string, JobSchedule>,
): Promise<void> {
  const isDue = lte(jobSchedules.nextAt, now);
  const [due] = await db.select({ name: jobSchedules.name }).from(jobSchedules).where(isDue).limit(1);
  if (!due) return;
  await db.transaction(async (tx) => {
    const rows = await tx.select().from(jobSchedules).where(isDue).for('update', { skipLocked: true });
    for (const { name } of rows) {
      const schedule = schedules[name];
      // The schedule belongs to a newer or older server on the same database.
      if (!schedule) continue;
      await enqueue(tx, now, schedule.job, schedule.payload, { key: `schedule:${name}` });
      await tx
        .update(jobSchedules)
        .set({ nextAt: nextTime(schedule, now) })
        .where(and(eq(jobSchedules.name, name)));
    }
  });
}
