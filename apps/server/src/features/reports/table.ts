import type { DeliverySettings, PrintSettings, RenderFormat } from '@atoll/contract';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { belongsTo, time } from '../../platform/db/columns.ts';
import { publications } from '../publications/table.ts';

/** Without what is sealed. */
export type StoredDelivery = Partial<Pick<DeliverySettings, 'attachment' | 'message' | 'email'>> & {
  /** By whom the chat was chosen: as long as it is linked to them, it gets reports. */
  telegram?: { enabled: boolean; chat_id: string; linkedById?: string | undefined };
  slack?: { enabled: boolean; channel: string };
  webhook?: { enabled: boolean };
};

/** What makes a publication a report. */
export const reportSettings = pgTable('report_settings', {
  publicationId: belongsTo('publication_id', () => publications.id).primaryKey(),
  isEnabled: boolean('is_enabled').notNull().default(false),
  /** What differs from the usual. */
  print: jsonb('print').$type<Partial<PrintSettings>>().notNull(),
  /** What differs from the usual. */
  delivery: jsonb('delivery').$type<StoredDelivery>().notNull().default({}),
  sealedTargets: text('sealed_targets'),
  updatedAt: time('updated_at').notNull(),
});
export type ReportSettingsRow = typeof reportSettings.$inferSelect;

/** The newest document of each format: asked for again, nothing is drawn. */
export const reportFiles = pgTable(
  'report_files',
  {
    publicationId: belongsTo('publication_id', () => publications.id),
    format: text('format').$type<RenderFormat>().notNull(),
    /** Changes with everything that is printed. */
    key: text('key').notNull(),
    fileBlob: text('file_blob').notNull(),
    size: integer('size').notNull(),
    pages: integer('pages').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.publicationId, table.format] }),
    index('report_files_blob').on(table.fileBlob),
  ],
);
