import type { ThemePicture, ThemeUpdate } from '@atoll/contract';
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';

/** What an admin changed about a platform's theme; the rest comes from its defaults. */
export const themes = pgTable('themes', {
  platform: text('platform').primaryKey(),
  overrides: jsonb('overrides').$type<ThemeUpdate>().notNull(),
  pictures: jsonb('pictures').$type<Partial<Record<ThemePicture, string | null>>>().notNull().default({}),
  updatedAt: time('updated_at').notNull(),
});

export type ThemeRow = typeof themes.$inferSelect;
