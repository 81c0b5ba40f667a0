import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** A place somebody may upload to once; afterwards the content is used by this id. */
export const uploads = pgTable(
  'uploads',
  {
    id: primaryId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clientName: text('client_name').notNull(),
    clientMimeType: text('client_mime_type').notNull(),
    blob: text('blob'),
    size: integer('size'),
    createdAt: time('created_at').notNull(),
    completedAt: time('completed_at'),
  },
  (table) => [index('uploads_user').on(table.userId), index('uploads_blob').on(table.blob)],
);

export type UploadRow = typeof uploads.$inferSelect;

/** Public pictures by an unguessable-enough id; what is not public is never made an asset. */
export const assets = pgTable(
  'assets',
  {
    id: primaryId(),
    blob: text('blob').notNull(),
    mimeType: text('mime_type').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('assets_blob').on(table.blob)],
);

export type AssetRow = typeof assets.$inferSelect;
