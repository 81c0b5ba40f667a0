import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../db/columns.ts';

/** The outbox: an event is a row written with the change it describes, and stays as the record of who did what. */
export const eventsTable = pgTable(
  'events',
  {
    id: primaryId(),
    name: text('name').notNull(),
    payload: jsonb('payload').notNull(),
    actorId: uuid('actor_id'),
    impersonatorId: uuid('impersonator_id'),
    requestId: text('request_id'),
    createdAt: time('created_at').notNull(),
    /** Null once delivered or parked. */
    dueAt: time('due_at'),
    deliveredAt: time('delivered_at'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** The features that have handled it, so that a failure in one does not repeat the others. */
    handledBy: text('handled_by').array().notNull().default([]),
  },
  (table) => [
    index('events_due').on(table.dueAt, table.id),
    index('events_failed').on(table.id).where(sql`${table.lastError} is not null`),
    // The activity of one project or team, newest first.
    index('events_project')
      .on(sql`(${table.payload} ->> 'project_id')`, table.id)
      .where(sql`${table.payload} ->> 'project_id' is not null`),
    index('events_team')
      .on(sql`(${table.payload} ->> 'team_id')`, table.id)
      .where(sql`${table.payload} ->> 'team_id' is not null`),
  ],
);

export type EventRow = typeof eventsTable.$inferSelect;
