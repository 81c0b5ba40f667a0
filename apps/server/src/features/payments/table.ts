import type { PurchaseState } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** Units bought with money, and what the provider said of the payment since. Amounts are in cents: one unit is one. */
export const unitPurchases = pgTable(
  'unit_purchases',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    provider: text('provider').$type<'stripe'>().notNull(),
    units: integer('units').notNull(),
    /** The caller's name for the request: sent again, it opens no second payment. */
    requestId: uuid('request_id').notNull(),
    state: text('state').$type<PurchaseState>().notNull(),
    /** The provider's names for the page where one pays, and for the payment. */
    checkoutId: text('checkout_id'),
    checkoutUrl: text('checkout_url'),
    paymentId: text('payment_id'),
    // What is known of it never goes back, whatever order the news comes in.
    paidAt: time('paid_at'),
    refunded: integer('refunded').notNull().default(0),
    disputed: integer('disputed').notNull().default(0),
    disputeState: text('dispute_state').$type<'open' | 'won' | 'lost'>(),
    /** What the wallet has of it. */
    credited: integer('credited').notNull().default(0),
    /** What was paid back and had been spent: the next units pay for it. */
    owed: integer('owed').notNull().default(0),
    /** How often units moved for it: names the next move. */
    moves: integer('moves').notNull().default(0),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    check('unit_purchases_units', sql`${table.units} > 0 and ${table.refunded} >= 0 and ${table.disputed} >= 0`),

    uniqueIndex('unit_purchases_request').on(table.userId, table.requestId),
    uniqueIndex('unit_purchases_checkout').on(table.checkoutId),
    uniqueIndex('unit_purchases_payment').on(table.paymentId),
    index('unit_purchases_user').on(table.userId, table.id.desc()),
    index('unit_purchases_owed').on(table.userId).where(sql`${table.owed} > 0`),
    check('unit_purchases_credited', sql`${table.credited} between 0 and ${table.units} and ${table.owed} >= 0`),
  ],
);
export type UnitPurchaseRow = typeof unitPurchases.$inferSelect;

/** News from the provider that has been carried out; it is sent at least once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    provider: text('provider').notNull(),
    id: text('id').notNull(),
    type: text('type').notNull(),
    receivedAt: time('received_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.id] })],
);
