import type {
  AccessLevel,
  ContentKind,
  PublicationCategory,
  PublicationPayload,
  PublicationType,
  TocEntry,
} from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, counter, primaryId, searchVector, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects, tags } from '../projects/table.ts';
import { runs } from '../runs/table.ts';
import { users } from '../users/table.ts';

/** One record for every kind of thing that is published. */
export const publications = pgTable(
  'publications',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: uuid('file_id').references(() => files.id, { onDelete: 'set null' }),
    contentKind: text('content_kind').$type<ContentKind>().notNull(),
    type: text('type').$type<PublicationType>().notNull(),
    category: text('category').$type<PublicationCategory>().notNull().default('other'),
    accessLevel: text('access_level').$type<AccessLevel>().notNull().default('draft'),
    slug: text('slug').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    coverAssetId: uuid('cover_asset_id'),
    payload: jsonb('payload').$type<PublicationPayload>().notNull(),
    isExecutionEnabled: boolean('is_execution_enabled').notNull().default(false),
    copiesProjectFiles: boolean('copies_project_files').notNull().default(false),
    /** The version that is shown; null until one is published. */
    versionId: uuid('version_id'),
    versionNumber: integer('version_number').notNull().default(0),
    viewCount: counter('view_count'),
    shareCount: counter('share_count'),
    clapCount: counter('clap_count'),
    cloneCount: counter('clone_count'),
    runCount: counter('run_count'),
    /** Names of the tags, for the search. */
    tagNames: text('tag_names').array().notNull().default([]),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    publishedAt: time('published_at'),
    /** Kept beside it, so that lists need not look at projects: whether its project is in the bin. */
    isBinned: boolean('is_binned').notNull().default(false),
    searchVector: searchVector('search_vector').generatedAlwaysAs(
      (): SQL =>
        sql`setweight(to_tsvector('simple'::regconfig, ${publications.title}), 'A') || setweight(to_tsvector('simple'::regconfig, ${publications.description}), 'C') || array_to_tsvector(${publications.tagNames})`,
    ),
  },
  (table) => {
    const shown = sql`${table.accessLevel} = 'public' and ${table.versionId} is not null and not ${table.isBinned}`;
    return [
      uniqueIndex('publications_slug').on(table.slug),
      uniqueIndex('publications_file').on(table.fileId),
      index('publications_project').on(table.projectId),
      index('publications_cover').on(table.coverAssetId),
      index('publications_shown_published').on(table.publishedAt.desc(), table.id).where(shown),
      index('publications_shown_views').on(table.viewCount.desc(), table.id).where(shown),
      index('publications_shown_shares').on(table.shareCount.desc(), table.id).where(shown),
      index('publications_shown_title').on(sql`lower(${table.title})`, table.id).where(shown),
      index('publications_shown_category').on(table.category, table.publishedAt.desc(), table.id).where(shown),
      index('publications_shown_type').on(table.type, table.publishedAt.desc(), table.id).where(shown),
      index('publications_words').using('gin', table.searchVector),
    ];
  },
);
export type PublicationRow = typeof publications.$inferSelect;

/** What was published: it never changes, whatever becomes of the file. */
export const publicationVersions = pgTable(
  'publication_versions',
  {
    id: primaryId(),
    publicationId: belongsTo('publication_id', () => publications.id),
    number: integer('number').notNull(),
    /** The version of the file it was made of. */
    fileVersionId: uuid('file_version_id'),
    sourceBlob: text('source_blob').notNull(),
    htmlBlob: text('html_blob').notNull(),
    toc: jsonb('toc').$type<TocEntry[]>().notNull(),
    payload: jsonb('payload').$type<PublicationPayload>().notNull(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('publication_versions_author').on(table.authorId).where(sql`${table.authorId} is not null`),
    uniqueIndex('publication_versions_number').on(table.publicationId, table.number),
    index('publication_versions_source').on(table.sourceBlob),
    index('publication_versions_html').on(table.htmlBlob),
  ],
);
export type PublicationVersionRow = typeof publicationVersions.$inferSelect;

/** Publishing that waits for a run of the file. */
export const publicationRuns = pgTable(
  'publication_runs',
  {
    runId: belongsTo('run_id', () => runs.id).primaryKey(),
    fileId: belongsTo('file_id', () => files.id),
    userId: belongsTo('user_id', () => users.id),
    /** What is to be published when it succeeds. */
    update: jsonb('update').$type<Record<string, unknown>>().notNull(),
    state: text('state').$type<'running' | 'published' | 'failed'>().notNull().default('running'),
    reason: text('reason'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('publication_runs_user').on(table.userId),
    index('publication_runs_file').on(table.fileId, table.createdAt.desc()),
  ],
);

/**
 * What a reader runs: a hidden project of their own, made of one version of a publication or an embedded file. Swept when it
 * was not used for a day, also where what it was made of is gone.
 */
export const readerCopies = pgTable(
  'reader_copies',
  {
    projectId: belongsTo('project_id', () => projects.id).primaryKey(),
    /** The publication or the embed. */
    sourceId: uuid('source_id').notNull(),
    /** Names the content. */
    version: text('version').notNull(),
    userId: belongsTo('user_id', () => users.id),
    usedAt: time('used_at').notNull(),
  },
  (table) => [
    index('reader_copies_user').on(table.userId),
    uniqueIndex('reader_copies_reader').on(table.sourceId, table.version, table.userId),
  ],
);

/** Addresses a publication had before. They lead to it, and nobody else can take them. */
export const publicationSlugs = pgTable(
  'publication_slugs',
  {
    slug: text('slug').primaryKey(),
    publicationId: belongsTo('publication_id', () => publications.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('publication_slugs_publication').on(table.publicationId)],
);

export const publicationTags = pgTable(
  'publication_tags',
  {
    publicationId: belongsTo('publication_id', () => publications.id),
    tagId: belongsTo('tag_id', () => tags.id),
  },
  (table) => [
    primaryKey({ columns: [table.publicationId, table.tagId] }),
    index('publication_tags_tag').on(table.tagId),
  ],
);

export const publicationAuthors = pgTable(
  'publication_authors',
  {
    publicationId: belongsTo('publication_id', () => publications.id),
    userId: belongsTo('user_id', () => users.id),
    position: smallint('position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.publicationId, table.userId] }),
    index('publication_authors_user').on(table.userId),
  ],
);

/** People beside a publication, each of them once. */
export const publicationPeople = <Name extends string>(name: Name) =>
  pgTable(
    name,
    {
      publicationId: belongsTo('publication_id', () => publications.id),
      userId: belongsTo('user_id', () => users.id),
      createdAt: time('created_at').notNull(),
    },
    (table) => [primaryKey({ columns: [table.publicationId, table.userId] }), index(`${name}_user`).on(table.userId)],
  );

export const publicationClaps = publicationPeople('publication_claps');

/** Who was here on a day, as a hash that is of no use the day after; swept then. */
export const publicationVisits = pgTable(
  'publication_visits',
  {
    publicationId: belongsTo('publication_id', () => publications.id),
    day: date('day').notNull(),
    visitor: text('visitor').notNull(),
  },
  (table) => [primaryKey({ columns: [table.publicationId, table.day, table.visitor] })],
);

/** What happened on each day. */
export const publicationDays = pgTable(
  'publication_days',
  {
    publicationId: belongsTo('publication_id', () => publications.id),
    day: date('day').notNull(),
    views: counter('views'),
    shares: counter('shares'),
    clones: counter('clones'),
    runs: counter('runs'),
  },
  (table) => [primaryKey({ columns: [table.publicationId, table.day] })],
);
