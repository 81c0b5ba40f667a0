import type { FeatureName } from '@atoll/contract';
import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../db/columns.ts';

/** Feature flags that admins have set for the whole installation. */
export const flagSettings = pgTable('flag_settings', {
  name: text('name').$type<FeatureName>().primaryKey(),
  isEnabled: boolean('is_enabled').notNull(),
  /** The message for people without the feature. */
  message: text('message'),
  updatedAt: time('updated_at').notNull(),
});
