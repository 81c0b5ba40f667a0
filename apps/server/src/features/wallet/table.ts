import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';

/** Who redeemed one is in the books. */
export const vouchers = pgTable(
  'vouchers',
  {
    id: primaryId(),
    /** A code is worth money, so only its SHA-256 is here. */
    codeHash: text('code_hash').notNull(),
    units: integer('units').notNull(),
    count: integer('count').notNull(),
    redeemed: integer('redeemed').notNull().default(0),
    expiresAt: time('expires_at'),
    note: text('note').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('vouchers_code').on(table.codeHash),
    check('vouchers_redeemed', sql`${table.redeemed} between 0 and ${table.count}`),
  ],
);
export type VoucherRow = typeof vouchers.$inferSelect;
