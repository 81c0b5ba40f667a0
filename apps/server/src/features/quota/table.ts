import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

const milliseconds = (name: string) => bigint(name, { mode: 'number' });
const userId = () => belongsTo('user_id', () => users.id);

/**
 * Somebody's execution time of one period: a month (`2026-11`), `guest` for all a guest has, `extension` for what was
 * bought in addition. What the books say of `spent` and `reserved`, kept ready; changed only together with them.
 */
export const quotaBalances = pgTable(
  'quota_balances',
  {
    userId: userId(),
    period: text('period').notNull(),
    /** Null is without limit. Follows the plan, but never below what is used and reserved already. */
    totalMs: milliseconds('total_ms'),
    usedMs: milliseconds('used_ms').notNull().default(0),
    reservedMs: milliseconds('reserved_ms').notNull().default(0),
    /** Of the extension: what was paid for all of it, in units. */
    paidUnits: bigint('paid_units', { mode: 'number' }).notNull().default(0),
    /** When a heartbeat was last told to the person: they come every few seconds. */
    toldAt: time('told_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.period] }),
    check('quota_balances_not_negative', sql`${table.usedMs} >= 0 and ${table.reservedMs} >= 0`),
    check(
      'quota_balances_within',
      sql`${table.totalMs} is null or ${table.usedMs} + ${table.reservedMs} <= ${table.totalMs}`,
    ),
  ],
);

/** Time set aside for one run, before it begins. */
export const quotaReservations = pgTable(
  'quota_reservations',
  {
    /** Made by the caller, so that asking twice reserves once. */
    id: uuid('id').primaryKey(),
    userId: userId(),
    period: text('period').notNull(),
    reservedMs: milliseconds('reserved_ms').notNull().default(0),
    /** How much of that is from the extension. */
    extensionMs: milliseconds('extension_ms').notNull().default(0),
    /** So far; in all, once it is settled. */
    usedMs: milliseconds('used_ms').notNull().default(0),
    state: text('state').$type<'reserved' | 'settled'>().notNull().default('reserved'),
    createdAt: time('created_at').notNull(),
    heartbeatAt: time('heartbeat_at').notNull(),
    settledAt: time('settled_at'),
    reason: text('reason'),
  },
  (table) => [
    index('quota_reservations_beating').on(table.heartbeatAt).where(sql`${table.state} = 'reserved'`),
    index('quota_reservations_user').on(table.userId, table.state),
    check('quota_reservations_used', sql`${table.usedMs} between 0 and ${table.reservedMs}`),
    check('quota_reservations_extension', sql`${table.extensionMs} between 0 and ${table.reservedMs}`),
  ],
);
