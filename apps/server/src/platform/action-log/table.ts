import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../db/columns.ts';

/** Records who did what to whom. A trigger refuses to change or delete its rows. */
export const actionLogs = pgTable(
  'action_logs',
  {
    id: primaryId(),
    action: text('action').notNull(),
    /** Without references: entries outlive the people they are about. */
    actorId: uuid('actor_id'),
    /** The person in whose name an admin acted. */
    maskedAsId: uuid('masked_as_id'),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    reason: text('reason'),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    requestId: text('request_id'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('action_logs_actor').on(table.actorId, table.id.desc()),
    index('action_logs_subject').on(table.subjectId, table.id.desc()),
    index('action_logs_created').on(table.createdAt),
  ],
);
export type ActionLogRow = typeof actionLogs.$inferSelect;
