import { date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';

/** Addresses that want no mail they did not ask for, as hashes: enough to recognise one, and no list of people. */
export const mailRefusals = pgTable('mail_refusals', {
  addressHash: text('address_hash').primaryKey(),
  createdAt: time('created_at').notNull(),
});

/** What admins allow in a day; one row, made when something is changed. */
export const mailLimits = pgTable('mail_limits', {
  id: text('id').$type<'only'>().primaryKey(),
  perAccount: integer('per_account').notNull(),
  perRecipient: integer('per_recipient').notNull(),
  perInstallation: integer('per_installation').notNull(),
});

/** Mail of a day (UTC) that accounts sent to others. */
export const mailCounts = pgTable(
  'mail_counts',
  {
    day: date('day').notNull(),
    kind: text('kind').$type<'account' | 'recipient' | 'installation' | 'unproven'>().notNull(),
    /** Whose: the id of an account, or the hash of an address. */
    key: text('key').notNull(),
    value: integer('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.kind, table.key] })],
);
