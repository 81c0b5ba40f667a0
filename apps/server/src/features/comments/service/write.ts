import { type CommentRight, type EndpointFields, isNotebookPath, mentionsIn, type Reaction } from '@atoll/contract';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, denied, invalidField, notFound } from '../../../platform/errors.ts';
import { files } from '../../files/table.ts';
import type { ProjectAccess } from '../../projects/service/access.ts';
import { users } from '../../users/table.ts';
import { type CommentRow, commentReactions, commentReports, comments } from '../table.ts';
import { type CommentWithRelations, requireCommentable, rightsOn, withRelations } from './read.ts';

type NewComment = EndpointFields<'comments', 'create'>;

async function one(ctx: Context, tx: Transaction, row: CommentRow | undefined, access: ProjectAccess) {
  const [found] = row ? await withRelations(ctx, tx, [row], access) : [];
  if (!found) throw notFound('This comment');
  return found;
}

export const createComment = (ctx: Context, projectId: string, input: NewComment): Promise<CommentWithRelations> =>
  ctx.write(async ({ tx, emit }) => {
    const asked = input.publication_id ?? null;
    await requireCommentable(ctx, tx, projectId, 'comment.create', false, asked);
    const thread = input.reply_to ? await findComment(tx, projectId, input.reply_to) : null;
    if (thread?.replyTo) throw invalidField('reply_to', 'Must be the first comment of a thread, not a reply');
    const fileId = thread ? thread.fileId : (input.file_id ?? null);
    const place = thread ?? placeOf(input);
    const { cellId, itemId, spotX, spotY } = place;
    const publicationId = thread ? thread.publicationId : asked;
    if (publicationId !== asked) throw notFound('This comment');
    if (publicationId && fileId) throw invalidField('file_id', 'Must not be given for a publication');
    const access = await requireCommentable(ctx, tx, projectId, 'comment.create', fileId !== null, publicationId);
    const isInside = cellId !== null || itemId !== null || spotX !== null;
    if (isInside && !fileId) throw invalidField('file_id', 'Must be given for a cell, an item or a spot');
    if (fileId && !thread) await assertFile(tx, projectId, fileId, itemId !== null || spotX !== null);
    const authorId = ctx.userId;
    const [row] = await tx
      .insert(comments)
      .values({
        projectId,
        fileId,
        ...{ cellId, itemId, spotX, spotY },
        publicationId,
        replyTo: thread?.id ?? null,
        authorId,
        content: input.content,
        createdAt: ctx.now(),
      })
      .returning();
    if (!row) throw new Error('The comment was not stored');
    // Who answers what was settled opens it again.
    if (thread?.resolvedAt) {
      await tx.update(comments).set({ resolvedAt: null, resolvedById: null }).where(eq(comments.id, thread.id));
      await emit('comment.settled', { project_id: projectId, comment_id: thread.id, is_resolved: false });
    }
    await emit('comment.created', { project_id: projectId, comment_id: row.id, by_user_id: authorId });
    return one(ctx, tx, row, access);
  });

/** Where in a file: a cell, an item or a spot of a canvas, and only one of them. */
function placeOf({ cell_id = null, item_id = null, spot = null }: NewComment) {
  const given = [cell_id && 'cell_id', item_id && 'item_id', spot && 'spot'].filter(Boolean);
  if (given.length > 1) throw invalidField(given[1] ?? 'spot', 'Must not be given together with another place');
  return { cellId: cell_id, itemId: item_id, spotX: spot?.x ?? null, spotY: spot?.y ?? null };
}

async function assertFile(tx: Transaction, projectId: string, fileId: string, onCanvas: boolean): Promise<void> {
  const [file] = await tx
    .select({ id: files.id, path: files.path })
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId), isNull(files.deletedAt)));
  if (!file) throw invalidField('file_id', 'Is not a file of this project');
  if (onCanvas && !isNotebookPath(file.path)) throw invalidField('file_id', 'Must be a notebook or canvas');
}

async function findComment(tx: Transaction, projectId: string, id: string): Promise<CommentRow> {
  const [row] = await tx
    .select()
    .from(comments)
    .where(and(eq(comments.id, id), eq(comments.projectId, projectId)))
    .for('update');
  if (!row) throw notFound('This comment');
  return row;
}

/** Whom a text names, of those there are. */
export async function mentionedIn(tx: Context['db'] | Transaction, content: string): Promise<string[]> {
  const names = mentionsIn(content).slice(0, 20);
  if (names.length === 0) return [];
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(sql`lower(${users.userName})`, names), eq(users.isGuest, false), isNull(users.suspendedAt)));
  return rows.map((row) => row.id);
}

/** One change of a comment that is still there, by somebody who sees it. */
const changing = <Result>(
  ctx: Context,
  projectId: string,
  id: string,
  permission: 'comment.create' | 'comment.edit',
  work: (write: Write, comment: CommentRow, access: ProjectAccess) => Promise<Result>,
): Promise<Result> =>
  ctx.write(async (write) => {
    const comment = await findComment(write.tx, projectId, id).catch(async (error: unknown) => {
      // Whether it exists is for those who may look.
      await requireCommentable(ctx, write.tx, projectId, permission, false);
      throw error;
    });
    const access = await requireCommentable(ctx, write.tx, projectId, permission, false, comment.publicationId);
    if (comment.fileId) await requireCommentable(ctx, write.tx, projectId, permission, true);
    if (comment.deletedAt) throw new AppError('gone', 'This comment was deleted.');
    return work(write, comment, access);
  });

function assertRight(ctx: Context, comment: CommentRow, { abilities }: ProjectAccess, right: CommentRight): void {
  if (!rightsOn(ctx, comment, abilities).includes(right))
    throw denied('no_permissions', 'You do not have permission to do this with this comment.');
}

export const updateComment = (
  ctx: Context,
  projectId: string,
  id: string,
  update: { content?: string; is_resolved?: boolean },
): Promise<CommentWithRelations> =>
  changing(ctx, projectId, id, 'comment.edit', async ({ tx, emit }, comment, access) => {
    const { content, is_resolved } = update;
    if (content !== undefined) assertRight(ctx, comment, access, 'edit');
    if (is_resolved !== undefined) assertRight(ctx, comment, access, 'resolve');
    const isEdited = content !== undefined && content !== comment.content;
    const now = ctx.now();
    const changed = {
      ...(isEdited && { content, editedAt: now }),
      ...(is_resolved !== undefined && {
        resolvedAt: is_resolved ? now : null,
        resolvedById: is_resolved ? ctx.actor.userId : null,
      }),
    };
    if (Object.keys(changed).length === 0) return one(ctx, tx, comment, access);
    const [row] = await tx.update(comments).set(changed).where(eq(comments.id, id)).returning();
    // Only who was not named before hears of it.
    const before = isEdited ? await mentionedIn(tx, comment.content) : [];
    const mentioned = isEdited ? (await mentionedIn(tx, content)).filter((userId) => !before.includes(userId)) : [];
    if (isEdited) await emit('comment.updated', { project_id: projectId, comment_id: id, mentioned });
    if (is_resolved !== undefined)
      await emit('comment.settled', { project_id: projectId, comment_id: id, is_resolved });
    return one(ctx, tx, row, access);
  });

/** What was answered keeps its place without its words; anything else goes without a trace. */
export const deleteComment = (ctx: Context, projectId: string, id: string): Promise<void> =>
  changing(ctx, projectId, id, 'comment.edit', async ({ tx, emit }, comment, access) => {
    assertRight(ctx, comment, access, 'delete');
    const replies = await tx.$count(comments, eq(comments.replyTo, id));
    await emit('comment.deleted', {
      project_id: projectId,
      comment_id: id,
      publication_id: comment.publicationId,
    });
    if (replies > 0) {
      await tx.update(comments).set({ content: '', deletedAt: ctx.now() }).where(eq(comments.id, id));
      await tx.delete(commentReactions).where(eq(commentReactions.commentId, id));
    } else await tx.delete(comments).where(eq(comments.id, id));
  });

export const react = (
  ctx: Context,
  projectId: string,
  id: string,
  reaction: Reaction | null,
): Promise<CommentWithRelations> =>
  changing(ctx, projectId, id, 'comment.create', async ({ tx, emit }, comment, access) => {
    const { userId } = ctx;
    const isMine = and(eq(commentReactions.commentId, id), eq(commentReactions.userId, userId));
    const [before] = await tx.select().from(commentReactions).where(isMine);
    if ((before?.reaction ?? null) === reaction) return one(ctx, tx, comment, access);
    if (reaction === null) await tx.delete(commentReactions).where(isMine);
    else
      await tx
        .insert(commentReactions)
        .values({ commentId: id, userId, reaction })
        .onConflictDoUpdate({ target: [commentReactions.commentId, commentReactions.userId], set: { reaction } });
    const [row] = await tx.select().from(comments).where(eq(comments.id, id));
    if (reaction === 'like') await emit('comment.liked', { project_id: projectId, comment_id: id, by_user_id: userId });
    else await emit('comment.updated', { project_id: projectId, comment_id: id, mentioned: [] });
    return one(ctx, tx, row, access);
  });

/** Once from each person; the newest reason counts. */
export const reportComment = (ctx: Context, projectId: string, id: string, reason: string): Promise<void> =>
  changing(ctx, projectId, id, 'comment.edit', async ({ tx, emit }) => {
    const { userId } = ctx;
    await tx
      .insert(commentReports)
      .values({ commentId: id, userId, reason, createdAt: ctx.now() })
      .onConflictDoUpdate({ target: [commentReports.commentId, commentReports.userId], set: { reason } });
    await emit('comment.reported', { project_id: projectId, comment_id: id, by_user_id: userId });
  });
