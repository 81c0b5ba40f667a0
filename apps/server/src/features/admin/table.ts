import { bigint, date, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';

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
