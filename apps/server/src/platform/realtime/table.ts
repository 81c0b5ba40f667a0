import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../db/columns.ts';

const position = () => bigint('position', { mode: 'number' }).notNull();

/** The position of each topic. Each event locks its row, so that positions are in the order of the commits. */
export const topicPositions = pgTable('topics', { topic: text('topic').primaryKey(), position: position() });

/** The events of each topic, for clients that were away. */
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

/** Applied commands with their replies, so that a command that is sent again gets its reply and is not applied again. */
export const appliedCommands = pgTable(
  'applied_commands',
  {
    actorId: uuid('actor_id').notNull(),
    requestId: uuid('request_id').notNull(),
    /** The digest of the request; null in rows of older versions. */
    digest: text('digest'),
    reply: jsonb('reply').$type<Record<string, unknown>>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.actorId, table.requestId] }),
    index('applied_commands_created').on(table.createdAt),
  ],
);
