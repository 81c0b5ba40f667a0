import { pgTable, text } from 'drizzle-orm/pg-core';

/** Keys that the servers of one database share, in hexadecimal. */
export const serverKeys = pgTable('server_keys', {
  purpose: text('purpose').primaryKey(),
  key: text('key').notNull(),
});
