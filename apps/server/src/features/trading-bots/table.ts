import type { TradingBotChannel } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';

/** Where the trading bot posts. */
export const tradingBotChannels = pgTable('trading_bot_channels', {
  id: primaryId(),
  type: text('type').$type<TradingBotChannel['type']>().notNull().default('all'),
  title: text('title').notNull(),
  telegramChatId: text('telegram_chat_id').notNull(),
  isEnabled: boolean('is_enabled').notNull(),
  periodicUpdatesEnabled: boolean('periodic_updates_enabled').notNull().default(false),
  /** In minutes. */
  periodicUpdatesInterval: integer('periodic_updates_interval').notNull().default(240),
  lastUpdateAt: time('last_update_at'),
  createdAt: time('created_at').notNull(),
});
export type ChannelRow = typeof tradingBotChannels.$inferSelect;

/** What the bot has to say, in the order in which it says it. */
export const botPosts = pgTable(
  'bot_posts',
  {
    id: primaryId(),
    channelId: belongsTo('channel_id', () => tradingBotChannels.id),
    /** What it is about: told once in each channel. */
    key: text('key').notNull(),
    text: text('text').notNull(),
    state: text('state').$type<'queued' | 'sending' | 'sent' | 'unconfirmed' | 'failed'>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this: Telegram says when it takes more. */
    retryAt: time('retry_at'),
    reason: text('reason'),
    createdAt: time('created_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    uniqueIndex('bot_posts_key').on(table.channelId, table.key),
    index('bot_posts_newest').on(table.channelId, table.endedAt.desc()),
    index('bot_posts_waiting').on(table.createdAt, table.id).where(sql`state in ('queued', 'sending')`),
  ],
);
export type PostRow = typeof botPosts.$inferSelect;

/** The first update of each bot that has not been looked at, by the number in its token. */
export const botUpdates = pgTable('bot_updates', {
  bot: text('bot').primaryKey(),
  next: bigint('next', { mode: 'number' }).notNull(),
});
