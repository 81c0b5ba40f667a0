import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

export const secrets = pgTable(
  'secrets',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    key: text('key').notNull(),
    /** AES-256-GCM: nonce, tag and ciphertext in base64; bound to its owner and key. */
    sealed: text('sealed').notNull(),
    /** Which key of the server sealed it, so that keys can be rotated. */
    keyId: text('key_id').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [uniqueIndex('secrets_key').on(table.userId, table.key), index('secrets_key_id').on(table.keyId)],
);

export type SecretRow = typeof secrets.$inferSelect;
