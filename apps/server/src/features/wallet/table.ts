import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

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
    check('vouchers_units', sql`${table.units} > 0`),

    uniqueIndex('vouchers_code').on(table.codeHash),
    check('vouchers_redeemed', sql`${table.redeemed} between 0 and ${table.count}`),
  ],
);
export type VoucherRow = typeof vouchers.$inferSelect;

/** Units that admins give by hand, to a person or with a voucher: what one alone may not give waits for another. */
export const creditRequests = pgTable(
  'credit_requests',
  {
    /** The `request_id` of who asked: asked again, it is the same one. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    voucherId: uuid('voucher_id').references(() => vouchers.id, { onDelete: 'cascade' }),
    /** Of a voucher for several people: all of them. */
    amount: integer('amount').notNull(),
    reason: text('reason').notNull(),
    requestedById: uuid('requested_by_id').notNull(),
    createdAt: time('created_at').notNull(),
    decidedAt: time('decided_at'),
    decidedById: uuid('decided_by_id'),
    isApproved: boolean('is_approved'),
  },
  (table) => [
    check('credit_requests_amount', sql`${table.amount} <> 0`),

    check('credit_requests_for', sql`num_nonnulls(${table.userId}, ${table.voucherId}) = 1`),
    index('credit_requests_user').on(table.userId),
    uniqueIndex('credit_requests_voucher').on(table.voucherId),
    index('credit_requests_waiting').on(table.createdAt).where(sql`${table.decidedAt} is null`),
    index('credit_requests_of_admin').on(table.requestedById, table.createdAt),
  ],
);
export type CreditRequestRow = typeof creditRequests.$inferSelect;

/** Units of a balance that only one thing can spend, until it ends or its time is over. */
export const unitReservations = pgTable(
  'unit_reservations',
  {
    userId: belongsTo('user_id', () => users.id),
    id: uuid('id').notNull(),
    units: integer('units').notNull(),
    /** Then the server that made it is gone. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    check('unit_reservations_units', sql`${table.units} > 0`),
    index('unit_reservations_expires').on(table.expiresAt),
  ],
);
