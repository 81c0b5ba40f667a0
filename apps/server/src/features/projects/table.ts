import { type ProjectKind, type ProjectPermission, type Visibility, visibilities } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, counter, oneOf, primaryId, searchVector, time } from '../../platform/db/columns.ts';
import { teams } from '../teams/table.ts';
import { users } from '../users/table.ts';

export const projects = pgTable(
  'projects',
  {
    id: primaryId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    section: text('section'),
    kind: text('kind').$type<ProjectKind>().notNull().default('notebook'),
    language: text('language').notNull().default('python'),
    visibility: text('visibility').$type<Visibility>().notNull().default('private'),
    hidesSource: boolean('hides_source').notNull().default(false),
    parentId: uuid('parent_id').references((): AnyPgColumn => projects.id, { onDelete: 'set null' }),
    thumbnailAssetId: uuid('thumbnail_asset_id'),
    ownerId: belongsTo('owner_id', () => users.id),
    isOwnerAuthor: boolean('is_owner_author').notNull().default(true),
    creatorId: uuid('creator_id').references(() => users.id, { onDelete: 'set null' }),
    license: text('license').notNull().default('none'),
    defaultFileId: uuid('default_file_id'),
    isSetupComplete: boolean('is_setup_complete').notNull().default(true),
    /** It came from another owner, and its code gets no secrets of the new one until they have accepted it. */
    isAwaitingReview: boolean('is_awaiting_review').notNull().default(false),
    /** In no list: what the product made for somebody, such as a reader's copy of a publication. */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** Whether its code may, where the server and the plan of who runs it allow it. */
    usesNetwork: boolean('uses_network').notNull().default(false),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    ownedAt: time('owned_at').notNull(),
    /** In the bin since. */
    deletedAt: time('deleted_at'),
    analyzeCount: counter('analyze_count'),
    cloneCount: counter('clone_count'),
    commentCount: counter('comment_count'),
    executeCount: counter('execute_count'),
    shareCount: counter('share_count'),
    viewCount: counter('view_count'),
    /** Name, description and tags in one text, for the search. */
    searchText: text('search_text').notNull().default(''),
    /** Each tag in lower case as `tag:name`. */
    tagFacets: text('tag_facets').array().notNull().default([]),
    /** The words, and as words no one can type the tags, the kind and whether it is shown: one index for any mix of them. */
    searchVector: searchVector('search_vector').generatedAlwaysAs(
      (): SQL =>
        sql`setweight(to_tsvector('simple'::regconfig, ${projects.name}), 'A') || setweight(to_tsvector('simple'::regconfig, ${projects.searchText}), 'C') || array_to_tsvector(${projects.tagFacets} || array['kind:' || ${projects.kind}, case when ${projects.deletedAt} is null and ${projects.visibility} in ('public', 'open') then 'is:shown' else 'is:hidden' end])`,
    ),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`;
    const shown = sql`${table.deletedAt} is null and ${table.visibility} in ('public', 'open')`;
    return [
      check('projects_visibility', oneOf(table.visibility, visibilities)),

      index('projects_creator').on(table.creatorId).where(sql`${table.creatorId} is not null`),
      index('projects_owner').on(table.ownerId),
      index('projects_owner_updated').on(table.ownerId, table.updatedAt.desc(), table.id).where(live),
      index('projects_owner_created').on(table.ownerId, table.createdAt.desc(), table.id).where(live),
      index('projects_shown_updated').on(table.updatedAt.desc(), table.id).where(shown),
      index('projects_shown_created').on(table.createdAt.desc(), table.id).where(shown),
      index('projects_shown_views').on(table.viewCount.desc(), table.id).where(shown),
      index('projects_shown_clones').on(table.cloneCount.desc(), table.id).where(shown),
      index('projects_shown_shares').on(table.shareCount.desc(), table.id).where(shown),
      index('projects_shown_name').on(sql`lower(${table.name})`, table.id).where(shown),
      index('projects_parent').on(table.parentId).where(sql`${table.parentId} is not null`),
      index('projects_bin').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
      index('projects_words').using('gin', table.searchVector),
    ];
  },
);

export type ProjectRow = typeof projects.$inferSelect;

/** Every word projects are found by. A typo is corrected here: far fewer words than projects have to be compared. */
export const searchWords = pgTable('search_words', { word: text('word').primaryKey() }, (table) => [
  index('search_words_beginnings').on(table.word.op('text_pattern_ops')),
  index('search_words_trigrams').using('gin', sql`${table.word} gin_trgm_ops`),
]);

export const tags = pgTable('tags', { id: primaryId(), name: text('name').notNull() }, (table) => [
  uniqueIndex('tags_name').on(sql`lower(${table.name})`),
]);

export const projectTags = pgTable(
  'project_tags',
  {
    projectId: belongsTo('project_id', () => projects.id),
    tagId: belongsTo('tag_id', () => tags.id),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.tagId] }), index('project_tags_tag').on(table.tagId)],
);

/** A person is offered a project; they own it once they accept. */
export const projectOffers = pgTable(
  'project_offers',
  {
    projectId: belongsTo('project_id', () => projects.id).primaryKey(),
    fromId: belongsTo('from_id', () => users.id),
    toId: belongsTo('to_id', () => users.id),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('project_offers_from').on(table.fromId), index('project_offers_to').on(table.toId)],
);

/** How many projects a person has offered on a day. */
export const projectOfferDays = pgTable(
  'project_offer_days',
  {
    userId: belongsTo('user_id', () => users.id),
    day: date('day').notNull(),
    offers: counter('offers'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);

/** Grants to a person or to a team; exactly one of the two is set. */
export const projectGrants = pgTable(
  'project_grants',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    permissions: jsonb('permissions').$type<ProjectPermission[]>().notNull(),
    isAuthor: boolean('is_author').notNull().default(false),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    check('project_grants_one', sql`num_nonnulls(${table.userId}, ${table.teamId}) = 1`),

    uniqueIndex('project_grants_user').on(table.projectId, table.userId),
    uniqueIndex('project_grants_team').on(table.projectId, table.teamId),
    index('project_grants_of_user').on(table.userId, table.projectId),
    index('project_grants_of_team').on(table.teamId, table.projectId),
  ],
);

/** Whom a project was shared with, and who copied its link, so that doing it again does not count again. */
export const projectShares = pgTable(
  'project_shares',
  {
    projectId: belongsTo('project_id', () => projects.id),
    userId: belongsTo('user_id', () => users.id),
    kind: text('kind').$type<'grant' | 'link'>().notNull(),
    countedAt: time('counted_at').notNull(),
  },
  (table) => [
    index('project_shares_user').on(table.userId),
    primaryKey({ columns: [table.projectId, table.userId, table.kind] }),
  ],
);

/** Pictures and films that show a project off. */
export const projectShowcase = pgTable(
  'project_showcase',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    assetId: uuid('asset_id').notNull(),
    position: integer('position').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('project_showcase_project').on(table.projectId, table.position)],
);

/** A link by whose secret part anyone may view the project. */
export const projectLinks = pgTable(
  'project_links',
  {
    projectId: belongsTo('project_id', () => projects.id).primaryKey(),
    secretHash: text('secret_hash').notNull(),
    createdAt: time('created_at').notNull(),
    createdById: uuid('created_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [index('project_links_created_by').on(table.createdById).where(sql`${table.createdById} is not null`)],
);

/** Who has opened a project by its link; they may view it while the link lasts. */
export const projectLinkViewers = pgTable(
  'project_link_viewers',
  {
    projectId: belongsTo('project_id', () => projectLinks.projectId),
    userId: belongsTo('user_id', () => users.id),
    openedAt: time('opened_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index('project_link_viewers_user').on(table.userId),
  ],
);

/** What happened on each day. */
export const projectDays = pgTable(
  'project_days',
  {
    projectId: belongsTo('project_id', () => projects.id),
    day: date('day').notNull(),
    views: counter('views'),
    clones: counter('clones'),
    runs: counter('runs'),
    shares: counter('shares'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day] })],
);

/** When somebody last opened a project: for "last viewed", and so that reloading does not count as a view. */
export const projectViews = pgTable(
  'project_views',
  {
    projectId: belongsTo('project_id', () => projects.id),
    userId: belongsTo('user_id', () => users.id),
    viewedAt: time('viewed_at').notNull(),
    /** When this person last looked into its data. */
    analyzedAt: time('analyzed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index('project_views_user').on(table.userId, table.viewedAt.desc()),
  ],
);
