import type { Reaction } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { publications } from '../publications/table.ts';
import { users } from '../users/table.ts';

/** A thread is a comment without `replyTo` and all that name it; what they are about is said by the first. */
export const comments = pgTable(
  'comments',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: uuid('file_id').references(() => files.id, { onDelete: 'cascade' }),
    cellId: text('cell_id'),
    /** On a canvas: what stands beside its cells, or a spot. */
    itemId: text('item_id'),
    spotX: doublePrecision('spot_x'),
    spotY: doublePrecision('spot_y'),
    /** On what was published: for everybody who may read that, and not among the comments of the project. */
    publicationId: uuid('publication_id').references(() => publications.id, { onDelete: 'cascade' }),
    replyTo: uuid('reply_to').references((): AnyPgColumn => comments.id, { onDelete: 'cascade' }),
    /** Null when the account is gone: what was said stays with those who answered it. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    content: text('content').notNull(),
    likesCount: integer('likes_count').notNull().default(0),
    dislikesCount: integer('dislikes_count').notNull().default(0),
    createdAt: time('created_at').notNull(),
    editedAt: time('edited_at'),
    deletedAt: time('deleted_at'),
    resolvedAt: time('resolved_at'),
    resolvedById: uuid('resolved_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('comments_author').on(table.authorId).where(sql`${table.authorId} is not null`),
    index('comments_project').on(table.projectId),
    index('comments_resolved_by').on(table.resolvedById).where(sql`${table.resolvedById} is not null`),
    index('comments_threads')
      .on(table.projectId, table.createdAt.desc(), table.id)
      .where(sql`${table.replyTo} is null`),
    index('comments_replies').on(table.replyTo, table.createdAt),
    index('comments_file').on(table.fileId),
    index('comments_publication').on(table.publicationId, table.createdAt.desc()),
  ],
);
export type CommentRow = typeof comments.$inferSelect;

const commentReference = () => belongsTo('comment_id', () => comments.id);
const userReference = () => belongsTo('user_id', () => users.id);

export const commentReactions = pgTable(
  'comment_reactions',
  { commentId: commentReference(), userId: userReference(), reaction: text('reaction').$type<Reaction>().notNull() },
  (table) => [
    index('comment_reactions_user').on(table.userId),
    primaryKey({ columns: [table.commentId, table.userId] }),
  ],
);

export const commentReports = pgTable(
  'comment_reports',
  {
    commentId: commentReference(),
    userId: userReference(),
    reason: text('reason').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('comment_reports_user').on(table.userId), primaryKey({ columns: [table.commentId, table.userId] })],
);
