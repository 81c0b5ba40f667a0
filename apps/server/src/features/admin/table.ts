import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';

/** Where the trading bot posts. */
export const tradingBotChannels = pgTable('trading_bot_channels', {
  id: primaryId(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  chatId: text('chat_id').notNull(),
  isEnabled: boolean('is_enabled').notNull(),
  createdAt: time('created_at').notNull(),
});
