import { pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';

/** Addresses that want no mail they did not ask for, as hashes: enough to recognise one, and no list of people. */
export const mailRefusals = pgTable('mail_refusals', {
  addressHash: text('address_hash').primaryKey(),
  createdAt: time('created_at').notNull(),
});
