import { sql } from 'drizzle-orm';
import { type AnyPgColumn, date, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** People in parts of equal size, so that a part can stand for all. */
export const shares = 64;
export const shareOf = (userId: AnyPgColumn) => sql`(uuid_hash(${userId}) & ${sql.raw(String(shares - 1))})`;

/** What people did in the interface, as their browser told it. */
export const trackedEvents = pgTable(
  'tracked_events',
  {
    id: primaryId(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    properties: jsonb('properties').$type<Record<string, unknown>>().notNull(),
    /** By the browser's clock. */
    happenedAt: time('happened_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('tracked_events_created').on(table.createdAt),
    index('tracked_events_user').on(table.userId, table.id),
    index('tracked_events_name').on(table.name, table.id),
    index('tracked_events_share').on(table.name, shareOf(table.userId), table.createdAt, table.userId),
  ],
);

/** The name of a day's row for all its events together. */
export const allEvents = '';

/** Counted by a job: who opens a chart must not wait until all events are read. */
export const trackedDays = pgTable(
  'tracked_days',
  {
    day: date('day').notNull(),
    name: text('name').notNull(),
    events: integer('events').notNull(),
    people: integer('people').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name] }), index('tracked_days_name').on(table.name, table.day)],
);
