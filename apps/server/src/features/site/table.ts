import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';

export const contactMessages = pgTable('contact_messages', {
  id: primaryId(),
  /** By which form it came. */
  kind: text('kind').$type<'contact' | 'feedback' | 'issue_report' | 'data_request'>().notNull().default('contact'),
  userId: uuid('user_id'),
  name: text('name').notNull(),
  email: text('email').notNull(),
  message: text('message').notNull(),
  /** The page it is about. */
  page: text('page'),
  createdAt: time('created_at').notNull(),
});
