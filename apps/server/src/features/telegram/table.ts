import type { TelegramChat } from '@atoll/contract';
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** Chats of the operator's bot, and the people who have shown from within that they may post there. */
export const telegramChats = pgTable(
  'telegram_chats',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    /** Telegram's own number: the name of a channel can pass to another one. */
    chatId: text('chat_id').notNull(),
    title: text('title').notNull(),
    kind: text('kind').$type<TelegramChat['kind']>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('telegram_chats_once').on(table.userId, table.chatId)],
);
export type TelegramChatRow = typeof telegramChats.$inferSelect;
