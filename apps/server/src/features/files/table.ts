import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

const projectReference = () => belongsTo('project_id', () => projects.id);

export const files = pgTable(
  'files',
  {
    id: primaryId(),
    projectId: projectReference(),
    path: text('path').notNull(),
    /** The path as it collides: two that differ by case only cannot both exist. */
    pathKey: text('path_key').notNull(),
    language: text('language').notNull(),
    mimeType: text('mime_type').notNull(),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    blob: text('blob').notNull(),
    size: integer('size').notNull(),
    /** Counts every save; what a save is based on is compared with it. */
    version: integer('version').notNull(),
    versionId: uuid('version_id').notNull(),
    /** The file this one was copied from when its project was cloned. */
    clonedFromId: uuid('cloned_from_id'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    updatedById: uuid('updated_by_id').references(() => users.id, { onDelete: 'set null' }),
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('files_updated_by').on(table.updatedById).where(sql`${table.updatedById} is not null`),
    uniqueIndex('files_path').on(table.projectId, table.pathKey).where(sql`${table.deletedAt} is null`),
    index('files_project').on(table.projectId),
    index('files_blob').on(table.blob),
    index('files_cloned_from').on(table.clonedFromId),
    index('files_bin').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
  ],
);

export type FileRow = typeof files.$inferSelect;

/**
 * The newest change of a file by each person. Numbers are given under the project's lock, so that they order the changes of a
 * file also within a millisecond and between servers.
 */
export const fileChanges = pgTable(
  'file_changes',
  {
    number: bigserial('number', { mode: 'number' }).primaryKey(),
    fileId: belongsTo('file_id', () => files.id),
    /** Null for a deleted account, and for code that several people may have started. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [
    index('file_changes_file').on(table.fileId),
    index('file_changes_user').on(table.userId).where(sql`${table.userId} is not null`),
  ],
);

/** The newest change of a file that a person has looked at. */
export const fileReviews = pgTable(
  'file_reviews',
  {
    userId: belongsTo('user_id', () => users.id),
    fileId: belongsTo('file_id', () => files.id),
    seen: bigint('seen', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fileId] }), index('file_reviews_file').on(table.fileId)],
);

/** Folders exist by themselves, so that an empty one is not lost. */
export const directories = pgTable(
  'directories',
  {
    id: primaryId(),
    projectId: projectReference(),
    path: text('path').notNull(),
    pathKey: text('path_key').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('directories_path').on(table.projectId, table.pathKey)],
);

export type DirectoryRow = typeof directories.$inferSelect;

export const fileVersions = pgTable(
  'file_versions',
  {
    id: primaryId(),
    fileId: belongsTo('file_id', () => files.id),
    version: integer('version').notNull(),
    name: text('name'),
    /** Saved by hand: later savings are versions of their own. */
    isManual: boolean('is_manual').notNull().default(false),
    blob: text('blob').notNull(),
    size: integer('size').notNull(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: time('created_at').notNull(),
    /** When it last changed: automatic savings in quick succession are one version. */
    revisionedAt: time('revisioned_at').notNull(),
  },
  (table) => [
    index('file_versions_author').on(table.authorId).where(sql`${table.authorId} is not null`),
    uniqueIndex('file_versions_number').on(table.fileId, table.version),
    index('file_versions_blob').on(table.blob),
  ],
);

export type FileVersionRow = typeof fileVersions.$inferSelect;
