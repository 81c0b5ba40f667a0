import type { UploadKind } from '@atoll/contract';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** Contents that are told apart by their first bytes. */
export type ContentKind = 'png' | 'jpeg' | 'gif' | 'webp' | 'svg' | 'avif' | 'bmp' | 'ico' | 'mp4';

/** A place somebody may upload to once; afterwards the content is used by this id. */
export const uploads = pgTable(
  'uploads',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    clientName: text('client_name').notNull(),
    clientMimeType: text('client_mime_type').notNull(),
    kind: text('kind').$type<UploadKind>().notNull().default('file'),
    /** How much of the day's allowance it takes while it is under way: what has arrived, or is announced to. */
    received: integer('received').notNull().default(0),
    blob: text('blob'),
    size: integer('size'),
    /** What its first bytes say it is, whatever its name. */
    contentKind: text('content_kind').$type<ContentKind>(),
    createdAt: time('created_at').notNull(),
    completedAt: time('completed_at'),
  },
  (table) => [index('uploads_user').on(table.userId), index('uploads_blob').on(table.blob)],
);

export type UploadRow = typeof uploads.$inferSelect;

/**
 * Public pictures and films by an unguessable-enough id; what is not public is never made an asset. Each belongs to one
 * row elsewhere, in a column named `…asset_id`, and goes with it.
 */
export const assets = pgTable(
  'assets',
  {
    id: primaryId(),
    blob: text('blob').notNull(),
    mimeType: text('mime_type').notNull(),
    size: integer('size'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('assets_blob').on(table.blob)],
);

export type AssetRow = typeof assets.$inferSelect;
