import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';

export const contactMessages = pgTable('contact_messages', {
  id: primaryId(),
  userId: uuid('user_id'),
  name: text('name').notNull(),
  email: text('email').notNull(),
  message: text('message').notNull(),
  createdAt: time('created_at').notNull(),
});
