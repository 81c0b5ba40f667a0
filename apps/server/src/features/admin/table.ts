import { bigint, boolean, date, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
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

/** Numbers of the installation, one row for each day: what the overview shows without counting all users. */
export const dailyFigures = pgTable(
  'daily_figures',
  {
    day: date('day').notNull(),
    name: text('name').notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
    countedAt: time('counted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name] })],
);

interface UsageSum {
  kernels: number;
  executions: number;
  used_ms: number;
}

/** What kernels were used for in the last 30 days, as it was last counted. */
export const usageSums = pgTable('usage_sums', {
  group: text('group').$type<'person' | 'day' | 'tier'>().primaryKey(),
  value: jsonb('value').$type<{ rows: (UsageSum & { key: string })[]; total: UsageSum }>().notNull(),
  countedAt: time('counted_at').notNull(),
});
