import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../db/columns.ts';

/** Work that is too long for a request or an event; a row is deleted when its work is done. */
export const jobsTable = pgTable(
  'jobs',
  {
    id: primaryId(),
    name: text('name').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: time('created_at').notNull(),
    /** Null when it was given up. */
    dueAt: time('due_at'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
  },
  (table) => [index('jobs_due').on(table.dueAt, table.id)],
);
export type JobRow = typeof jobsTable.$inferSelect;
