import type { JobState } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, real, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../db/columns.ts';

/** Everything that is not a request. Rows of ended jobs are kept for a while, so that people can inspect them. */
export const jobsTable = pgTable(
  'jobs',
  {
    id: primaryId(),
    kind: text('kind').notNull(),
    payload: jsonb('payload').notNull(),
    state: text('state').$type<JobState>().notNull().default('queued'),
    /** At most one queued or running job of a kind has a key. */
    key: text('key'),
    /** The job's owner: its progress is published to them, and their jobs of a kind can be limited. */
    ownerId: uuid('owner_id'),
    /** It was requested again while it ran, so it runs once more. */
    isWantedAgain: boolean('is_wanted_again').notNull().default(false),
    priority: smallint('priority').notNull().default(0),
    dueAt: time('due_at').notNull(),
    /** Attempts of the current step that have begun. */
    attempts: integer('attempts').notNull().default(0),
    /** New with each attempt, so that late writes of an earlier attempt are rejected. */
    leaseId: uuid('lease_id'),
    leaseUntil: time('lease_until'),
    cancelReason: text('cancel_reason'),
    /** From 0 to 1; null where it cannot be known. */
    progress: real('progress'),
    message: text('message'),
    /** The reason why it failed, was canceled, or is retried. */
    reason: text('reason'),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('jobs_queued')
      .on(table.kind, table.priority.desc(), table.dueAt, table.id)
      .where(sql`${table.state} = 'queued'`),
    index('jobs_running').on(table.leaseUntil).where(sql`${table.state} = 'running'`),
    index('jobs_ended').on(table.endedAt).where(sql`${table.endedAt} is not null`),
    index('jobs_owner').on(table.ownerId, table.createdAt).where(sql`${table.ownerId} is not null`),
    uniqueIndex('jobs_key').on(table.kind, table.key).where(sql`${table.state} in ('queued', 'running')`),
  ],
);
export type JobRow = typeof jobsTable.$inferSelect;

/** The next time of each of the features' schedules; one row for each, shared by all servers. */
export const jobSchedules = pgTable('job_schedules', {
  name: text('name').primaryKey(),
  nextAt: time('next_at').notNull(),
});
