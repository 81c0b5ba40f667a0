import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';

/**
 * The books. A transaction moves an asset between accounts, in two legs or more that sum to zero: a trigger checks it at
 * the commit. Nothing here is ever changed or deleted (another trigger); what was wrong is booked back.
 */
export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    id: primaryId(),
    /** What is counted, in its smallest unit. */
    asset: text('asset').$type<'execution_ms' | 'units'>().notNull(),
    kind: text('kind').notNull(),
    /** Names what may happen once only, for ever. */
    key: text('key'),
    /** What it is about: a reservation, a purchase. */
    referenceId: uuid('reference_id'),
    /** Who did it, where that is not the person whose account it is; and why. */
    actorId: uuid('actor_id'),
    note: text('note'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('ledger_transactions_key').on(table.key)],
);

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    transactionId: uuid('transaction_id')
      .notNull()
      .references(() => ledgerTransactions.id),
    account: text('account').$type<'time' | 'reserved' | 'spent' | 'issued' | 'wallet' | 'unbounded'>().notNull(),
    /** Whose; null for the platform's side. No reference: the books outlive the people in them. */
    userId: uuid('user_id'),
    /** The part of the account: a month, say. */
    period: text('period').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /** What the account had after it, where people read its entries one by one. */
    balance: bigint('balance', { mode: 'number' }),
  },
  (table) => [
    // Without it the trigger would look through the whole table.
    index('ledger_entries_transaction').on(table.transactionId),
    index('ledger_entries_account').on(table.userId, table.period, table.id),
    check('ledger_entries_amount', sql`${table.amount} <> 0`),
  ],
);
