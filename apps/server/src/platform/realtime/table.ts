import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../db/columns.ts';

const position = () => bigint('position', { mode: 'number' }).notNull();

/** How far each topic is. Its row is taken for each event, so that positions are in the order of the commits. */
export const topicPositions = pgTable('topics', { topic: text('topic').primaryKey(), position: position() });

/** What was told to each topic, for those who were away. */
export const topicEvents = pgTable(
  'topic_events',
  {
    topic: text('topic').notNull(),
    position: position(),
    event: text('event').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.topic, table.position] }),
    index('topic_events_created').on(table.createdAt),
  ],
);

/** Commands that were done, with what was answered: one that is sent again is answered again and not done again. */
export const appliedCommands = pgTable(
  'applied_commands',
  {
    actorId: uuid('actor_id').notNull(),
    requestId: uuid('request_id').notNull(),
    /** Of what was asked; null in rows of older versions. */
    digest: text('digest'),
    reply: jsonb('reply').$type<Record<string, unknown>>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.actorId, table.requestId] }),
    index('applied_commands_created').on(table.createdAt),
  ],
);
