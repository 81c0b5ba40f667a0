import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

export const sessions = pgTable(
  'sessions',
  {
    id: primaryId(),
    tokenHash: text('token_hash').notNull(),
    /** Whose rights apply. */
    userId: belongsTo('user_id', () => users.id),
    /** The admin behind it when one acts as the user; otherwise null. */
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The admin's own session, from which it began. */
    originId: uuid('origin_id'),
    method: text('method').notNull(),
    createdAt: time('created_at').notNull(),
    /** When the person last proved who they are; null for guests. */
    authenticatedAt: time('authenticated_at'),
    lastSeenAt: time('last_seen_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    endedAt: time('ended_at'),
    endReason: text('end_reason'),
    userAgent: text('user_agent').notNull(),
    ip: text('ip').notNull(),
  },
  (table) => [
    index('sessions_actor').on(table.actorId).where(sql`${table.actorId} is not null`),
    uniqueIndex('sessions_token_hash').on(table.tokenHash),
    index('sessions_user').on(table.userId),
  ],
);

export type SessionRow = typeof sessions.$inferSelect;

/** Tokens for the realtime connection: short-lived, and gone with their session. */
export const socketTokens = pgTable(
  'socket_tokens',
  {
    id: primaryId(),
    tokenHash: text('token_hash').notNull().unique(),
    sessionId: belongsTo('session_id', () => sessions.id),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('socket_tokens_session').on(table.sessionId)],
);
