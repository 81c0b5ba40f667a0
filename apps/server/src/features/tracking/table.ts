import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

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
  (table) => [index('tracked_events_created').on(table.createdAt), index('tracked_events_user').on(table.userId)],
);
