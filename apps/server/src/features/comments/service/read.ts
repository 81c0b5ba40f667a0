import {
  type CommentRight,
  commentRightsOn,
  type EndpointFields,
  type PersonSummary,
  type ProjectAbility,
  type Reaction,
} from '@atoll/contract';
import { and, asc, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { type ProjectAccess, requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { requirePublication } from '../../publications/service/access.ts';
import { type CommentRow, commentReactions, comments } from '../table.ts';

type Reader = Database | Transaction;

export interface CommentWithRelations {
  comment: CommentRow;
  author: PersonSummary | null;
  reaction: Reaction | null;
  rights: CommentRight[];
}
export interface ThreadWithReplies extends CommentWithRelations {
  replies: CommentWithRelations[];
}

/** So many replies of one thread are shown; nobody reads further. */
const maxReplies = 500;

export function rightsOn(ctx: Context, comment: CommentRow, abilities: readonly ProjectAbility[]): CommentRight[] {
  if (ctx.actor.kind !== 'user') return [];
  return commentRightsOn({
    isAuthor: comment.authorId === ctx.actor.userId,
    isDeleted: comment.deletedAt !== null,
    isNeverResolved: comment.replyTo !== null || comment.publicationId !== null,
    abilities,
  });
}

export async function withRelations(
  ctx: Context,
  db: Reader,
  rows: CommentRow[],
  { abilities }: Pick<ProjectAccess, 'abilities'>,
): Promise<CommentWithRelations[]> {
  const people = await loadPeopleOf(db, rows, (row) => (row.deletedAt ? null : row.authorId));
  const ids = rows.map((row) => row.id);
  const mine =
    ctx.actor.userId && ids.length
      ? await db
          .select()
          .from(commentReactions)
          .where(and(inArray(commentReactions.commentId, ids), eq(commentReactions.userId, ctx.actor.userId)))
      : [];
  return rows.map((comment) => ({
    comment,
    author: people.get(comment.deletedAt ? '' : (comment.authorId ?? '')) ?? null,
    reaction: mine.find((reaction) => reaction.commentId === comment.id)?.reaction ?? null,
    rights: rightsOn(ctx, comment, abilities),
  }));
}

/** Loads the project; what is about a file is for whoever may read the files. */
export async function requireCommentable(
  ctx: Context,
  db: Reader,
  projectId: string,
  permission: 'comment.view' | 'comment.create' | 'comment.edit',
  isAboutFile: boolean,
  publicationId: string | null = null,
): Promise<ProjectAccess> {
  const access = publicationId
    ? await readerAccess(ctx, db, projectId, publicationId)
    : await requireProject(ctx, db, projectId, isAboutFile ? 'project.view_source' : 'project.view');
  if (permission === 'comment.create' && ctx.actor.kind === 'user' && !access.abilities.includes('comment')) {
    throw denied('no_permissions', 'You may not comment on this project.');
  }
  ctx.authorize(permission, access);
  return access;
}

/** Who may read a publication may comment on it, whatever they may do with its project. */
async function readerAccess(
  ctx: Context,
  db: Reader,
  projectId: string,
  publicationId: string,
): Promise<ProjectAccess> {
  const { project, abilities } = await requirePublication(ctx, db, publicationId, 'publication.view');
  if (project.id !== projectId) throw notFound('This publication');
  return { project, isShared: false, abilities: [...new Set([...abilities, 'view' as const, 'comment' as const])] };
}

export async function listThreads(
  ctx: Context,
  projectId: string,
  query: EndpointFields<'comments', 'list'>,
): Promise<{ threads: ThreadWithReplies[]; total: number }> {
  const isAboutFile = query.project_file_id !== undefined;
  const publicationId = query.publication_id ?? null;
  const access = await requireCommentable(ctx, ctx.db, projectId, 'comment.view', isAboutFile, publicationId);
  const canRead = access.abilities.includes('view_source');
  const where = and(
    eq(comments.projectId, projectId),
    isNull(comments.replyTo),
    publicationId ? eq(comments.publicationId, publicationId) : isNull(comments.publicationId),
    query.project_file_id ? eq(comments.fileId, query.project_file_id) : canRead ? undefined : isNull(comments.fileId),
    query.cell_id ? eq(comments.cellId, query.cell_id) : undefined,
    query.item_id ? eq(comments.itemId, query.item_id) : undefined,
    query.is_resolved === undefined
      ? undefined
      : query.is_resolved
        ? isNotNull(comments.resolvedAt)
        : isNull(comments.resolvedAt),
  );
  const first = await ctx.db
    .select()
    .from(comments)
    .where(where)
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const total = await ctx.db.$count(comments, where);
  const ids = first.map((row) => row.id);
  const replies = ids.length
    ? await ctx.db
        .select()
        .from(comments)
        .where(inArray(comments.replyTo, ids))
        .orderBy(asc(comments.createdAt), asc(comments.id))
        .limit(maxReplies * ids.length)
    : [];
  const all = await withRelations(ctx, ctx.db, [...first, ...replies], access);
  const threads = all
    .slice(0, first.length)
    .map((thread) => ({ ...thread, replies: all.filter(({ comment }) => comment.replyTo === thread.comment.id) }));
  return { threads, total };
}
