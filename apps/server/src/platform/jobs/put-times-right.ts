import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import type { JobSchedule } from './definition.ts';
import { nextTime } from './schedules.ts';
import { jobSchedules, jobsTable } from './table.ts';

/** Longer than the longest delay before a retry. */
const longestDelayMs = 30 * 60_000;
/** A schedule may fire this much later than its next time. */
const latestMs = 60_000;

interface Periods {
  leaseMs: number;
  schedules: Record<string, JobSchedule>;
}

/**
 * Corrects stored times after the machine's clock was set back; they would otherwise wait until the old time comes again. A
 * lease is moved so near that a live server renews it first.
 */
export async function putTimesRight(db: Database, now: Date, { leaseMs, schedules }: Periods): Promise<void> {
  const after = (ms: number) => sql`${new Date(now.getTime() + ms).toISOString()}::timestamptz`;
  await db.execute(sql`update ${jobsTable} set lease_until = ${after(leaseMs)}
    where state = 'running' and lease_until > ${after(2 * leaseMs)}`);
  // Only a job that was enqueued for later has a time far ahead; one that has begun, or was due at once, has not.
  await db.execute(sql`update ${jobsTable} set due_at = ${after(0)}
    where state = 'queued' and due_at > ${after(longestDelayMs)} and (started_at is not null or due_at <= created_at)`);
  const next = Object.entries(schedules).map(([name, schedule]) => ({ name, next: nextTime(schedule, now) }));
  await db.execute(sql`update ${jobSchedules} set next_at = due.next
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as due (name text, next timestamptz)
    where job_schedules.name = due.name and job_schedules.next_at > due.next + make_interval(secs => ${latestMs / 1_000})`);
}
