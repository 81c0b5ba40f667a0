import type { ApiKeyScope } from '@atoll/contract';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull().unique(),
    /** The first and last characters, for the list; the key itself is not kept. */
    hint: text('hint').notNull(),
    scopes: jsonb('scopes').$type<ApiKeyScope[]>().notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at'),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('api_keys_user').on(table.userId)],
);

export type ApiKeyRow = typeof apiKeys.$inferSelect;
