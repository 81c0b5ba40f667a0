import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../db/rows.ts';
import type { AnyJob } from './definition.ts';
import { jobsTable } from './table.ts';

export interface ClaimedJob {
  id: string;
  kind: string;
  payload: unknown;
  ownerId: string | null;
  attempts: number;
  leaseId: string;
  cancelReason: string | null;
}

/** This many jobs of one kind are examined; more are waiting only where an owner has reached their limit. */
const lookAhead = 50;
export const defaultAttempts = 6;

interface Claim {
  definitions: AnyJob[];
  now: Date;
  leaseMs: number;
  /** At most so many. */
  free: number;
}

/**
 * Claims due jobs, and those whose server has not renewed its lease, within the limits of their kinds and owners. One
 * server claims at a time, so that the limits hold; a check that finds no due job takes no lock.
 */
export async function claimJobs(db: Database, { definitions, now, leaseMs, free }: Claim): Promise<ClaimedJob[]> {
  const limits = definitions.map(({ kind, concurrency, perOwner, attempts }) => ({
    kind,
    concurrency,
    per_owner: perOwner ?? 1_000_000,
    attempts: attempts ?? defaultAttempts,
  }));
  const at = sql`${now.toISOString()}::timestamptz`;
  const isDue = sql`(state = 'queued' and due_at <= ${at} or state = 'running' and lease_until <= ${at})`;
  const found = await db.execute(sql`select 1 from ${jobsTable} where ${isDue} limit 1`);
  if (rowsOf(found).length === 0) return [];
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('jobs.claim'))`);
    await tx.execute(sql`
      update ${jobsTable} set state = 'failed', ended_at = ${at}, reason = coalesce(reason, 'The server stopped while doing it.')
      from jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as lim (kind text, attempts int)
      where jobs.kind = lim.kind and state = 'running' and lease_until <= ${at} and jobs.attempts >= lim.attempts`);
    const claimed = await tx.execute(sql`
      with lim as (
        select * from jsonb_to_recordset(${JSON.stringify(limits)}::jsonb)
          as lim (kind text, concurrency int, per_owner int, attempts int)
      ), busy as (
        select kind, owner_id, count(*) as running from ${jobsTable}
        where state = 'running' and lease_until > ${at} group by kind, owner_id
      ), open as (
        select lim.*, lim.concurrency - coalesce((select sum(running) from busy where busy.kind = lim.kind), 0) as free from lim
      ), due as (
        select candidate.*, open.kind, open.free,
          open.per_owner - coalesce((select running from busy
            where busy.kind = open.kind and busy.owner_id = candidate.owner_id), 0) as owner_free,
          row_number() over (partition by open.kind, coalesce(candidate.owner_id, candidate.id)
            order by candidate.priority desc, candidate.due_at, candidate.id) as owner_place
        from open cross join lateral (
          select id, owner_id, priority, due_at from ${jobsTable}
          where jobs.kind = open.kind and ${isDue} and not exists (
            select from busy where busy.kind = open.kind and busy.owner_id = jobs.owner_id and busy.running >= open.per_owner)
          order by priority desc, due_at, id limit ${lookAhead}
        ) candidate where open.free > 0
      ), fitting as (
        select *, row_number() over (partition by kind order by priority desc, due_at, id) as place
        from due where owner_place <= owner_free
      ), taken as (
        select id from fitting where place <= free order by priority desc, due_at, id limit ${free}
      )
      update ${jobsTable} set state = 'running', is_wanted_again = false, attempts = attempts + 1, lease_id = gen_random_uuid(),
        lease_until = ${new Date(now.getTime() + leaseMs).toISOString()}::timestamptz, started_at = coalesce(started_at, ${at})
      where id in (select id from taken) and ${isDue}
      returning id, kind, payload, owner_id as "ownerId", attempts, lease_id as "leaseId", cancel_reason as "cancelReason"`);
    return rowsOf<ClaimedJob>(claimed);
  });
}
