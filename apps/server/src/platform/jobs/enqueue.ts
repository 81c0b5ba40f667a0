import { and, eq, inArray, notExists, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { newId } from '../db/columns.ts';
import type { Database, Transaction } from '../db/database.ts';
import { jobsTable } from './table.ts';

/** The part of a job's definition that is needed to enqueue it. */
export interface JobKind<Payload> {
  /** `feature.verb`, unique in the product. */
  kind: string;
  payload: z.ZodType<Payload>;
}

export interface EnqueueOptions {
  /** One at a time: where a job with this key is queued or running, it is used instead of a new one. */
  key?: string;
  /** A running job runs once more afterwards, because it may have read older data. */
  runsAgain?: boolean;
  ownerId?: string;
  /** Higher first; 0 by default. */
  priority?: number;
  dueAt?: Date;
}

/** Enqueues in the transaction that makes the job necessary; returns the id of the job, new or found by its key. */
export async function enqueue<Payload>(
  tx: Transaction,
  now: Date,
  { kind, payload: schema }: JobKind<Payload>,
  payload: Payload,
  options: EnqueueOptions = {},
): Promise<string> {
  const { key, runsAgain = false, ownerId, priority = 0, dueAt = now } = options;
  const values = {
    id: newId(),
    kind,
    payload: schema.parse(payload),
    key: key ?? null,
    ownerId: ownerId ?? null,
    priority,
    dueAt,
    createdAt: now,
  };
  const [made] = await tx.insert(jobsTable).values(values).onConflictDoNothing().returning({ id: jobsTable.id });
  if (made) return made.id;
  const isSame = and(eq(jobsTable.kind, kind), eq(jobsTable.key, values.key ?? ''), isActive);
  const [found] = runsAgain
    ? await tx
        .update(jobsTable)
        .set({ isWantedAgain: sql`${jobsTable.state} = 'running'` })
        .where(isSame)
        .returning({ id: jobsTable.id })
    : await tx.select({ id: jobsTable.id }).from(jobsTable).where(isSame);
  // It ended between the two statements, so there is room for another.
  return found?.id ?? enqueue(tx, now, { kind, payload: schema }, payload, options);
}

const isActive = inArray(jobsTable.state, ['queued', 'running']);

/** Finds rows that would wait for ever for a job that was given up. */
export const hasNoJob = (db: Database, kinds: Pick<JobKind<unknown>, 'kind'>[], isItsPayload: SQL): SQL =>
  notExists(
    db
      .select({ id: jobsTable.id })
      .from(jobsTable)
      .where(
        and(
          inArray(
            jobsTable.kind,
            kinds.map(({ kind }) => kind),
          ),
          isActive,
          isItsPayload,
        ),
      ),
  );

/** Cancels a queued job at once, a running one as soon as its server notices. Returns whether there was one to cancel. */
export async function cancelJob(tx: Transaction, now: Date, id: string, reason: string): Promise<boolean> {
  const canceled = await tx
    .update(jobsTable)
    .set({
      cancelReason: reason,
      state: sql`case when ${jobsTable.state} = 'queued' then 'canceled' else ${jobsTable.state} end`,
      reason: sql`case when ${jobsTable.state} = 'queued' then ${reason} else ${jobsTable.reason} end`,
      endedAt: sql`case when ${jobsTable.state} = 'queued' then ${now.toISOString()}::timestamptz end`,
    })
    .where(and(eq(jobsTable.id, id), isActive))
    .returning({ id: jobsTable.id });
  return canceled.length > 0;
}

/** Retries a failed or canceled job from its last step, unless another with its key is queued or running. */
export async function retryJob(tx: Transaction, now: Date, id: string): Promise<boolean> {
  const retried = await tx
    .update(jobsTable)
    .set({
      state: 'queued',
      attempts: 0,
      dueAt: now,
      cancelReason: null,
      endedAt: null,
      leaseId: null,
      leaseUntil: null,
    })
    .where(
      and(
        eq(jobsTable.id, id),
        inArray(jobsTable.state, ['failed', 'canceled']),
        sql`not exists (select from ${jobsTable} other where other.kind = ${jobsTable.kind} and other.key = ${jobsTable.key} and other.state in ('queued', 'running'))`,
      ),
    )
    .returning({ id: jobsTable.id });
  return retried.length > 0;
}
