import type { NotificationMetadata } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { type News, notify } from '../notifications/service/notify.ts';
import { askersOf, whoMay } from '../projects/service/who-may.ts';
import { projects } from '../projects/table.ts';
import { readersAmong } from '../publications/service/access.ts';
import { publicationAuthors } from '../publications/table.ts';
import { mentionedIn } from './service/write.ts';
import { type CommentRow, comments } from './table.ts';

export const commentNotifications: EventHandlers = {
  'comment.created': (ctx, { comment_id, by_user_id }, { id }) => tellOfComment(ctx, comment_id, by_user_id, id),
  'comment.updated': async (ctx, { comment_id, mentioned }, { id, actorId }) => {
    const comment = mentioned.length > 0 ? await findComment(ctx, comment_id) : null;
    if (comment) await tellReaders(ctx, comment, mentioned, { type: 'comment_mentioned', actorId, key: id });
  },
  'comment.liked': async (ctx, { comment_id, by_user_id }) => {
    const comment = await findComment(ctx, comment_id);
    if (!comment?.authorId) return;
    const key = `liked:${comment_id}:${by_user_id}`;
    await tellReaders(ctx, comment, [comment.authorId], { type: 'comment_liked', actorId: by_user_id, key });
  },
  'comment.reported': async (ctx, { project_id, comment_id, by_user_id }) => {
    const comment = await findComment(ctx, comment_id);
    const [project] = await ctx.db.select().from(projects).where(eq(projects.id, project_id));
    if (!comment || !project) return;
    const key = `reported:${comment_id}:${by_user_id}`;
    await tellReaders(ctx, comment, [project.ownerId], { type: 'comment_reported', actorId: by_user_id, key });
  },
};

async function findComment(ctx: Context, id: string): Promise<CommentRow | null> {
  const [comment] = await ctx.db
    .select()
    .from(comments)
    .where(and(eq(comments.id, id), isNull(comments.deletedAt)));
  return comment ?? null;
}

const excerptLength = 160;

/** Only to those who may read what it is about: a name in a comment opens nothing. */
async function tellReaders(
  ctx: Context,
  comment: CommentRow,
  recipients: string[],
  news: Pick<News, 'type' | 'actorId' | 'key'>,
): Promise<void> {
  const readers = await readersOf(ctx, comment, recipients);
  const metadata: NotificationMetadata = {
    // By whole characters: half an emoji cannot be stored.
    excerpt: [...comment.content].slice(0, excerptLength).join(''),
    ...(comment.fileId && { file_id: comment.fileId }),
    ...(comment.cellId && { cell_id: comment.cellId }),
  };
  await notify(ctx, readers, {
    ...news,
    projectId: comment.projectId,
    entity: { type: 'comment', id: comment.id },
    metadata,
  });
}

async function readersOf(ctx: Context, comment: CommentRow, recipients: string[]): Promise<string[]> {
  if (comment.publicationId) return readersAmong(ctx.db, comment.publicationId, recipients);
  const askers = await askersOf(ctx.db, recipients);
  const readers = await whoMay(ctx.db, askers, [comment.projectId], comment.fileId ? 'view_source' : 'view');
  return readers.flatMap(({ userId }) => userId ?? []);
}

/** Each hears of one comment once, in the words that concern them most. */
async function tellOfComment(ctx: Context, id: string, by: string, key: string): Promise<void> {
  const comment = await findComment(ctx, id);
  const [project] = comment ? await ctx.db.select().from(projects).where(eq(projects.id, comment.projectId)) : [];
  if (!comment || !project) return;
  const news = { actorId: by, key };
  const mentioned = await mentionedIn(ctx.db, comment.content);
  await tellReaders(ctx, comment, mentioned, { ...news, type: 'comment_mentioned' });
  const others = (ids: string[], known: string[]) => ids.filter((userId) => !known.includes(userId));
  const thread = comment.replyTo ? await participants(ctx, comment.replyTo) : [];
  const repliedTo = others(thread, mentioned);
  await tellReaders(ctx, comment, repliedTo, { ...news, type: 'comment_replied' });
  const responsible = [project.ownerId, ...(comment.publicationId ? await authorsOf(ctx, comment.publicationId) : [])];
  const owners = others(responsible, [...mentioned, ...repliedTo]);
  await tellReaders(ctx, comment, owners, { ...news, type: 'comment_created' });
}

async function authorsOf(ctx: Context, publicationId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ userId: publicationAuthors.userId })
    .from(publicationAuthors)
    .where(eq(publicationAuthors.publicationId, publicationId));
  return rows.map(({ userId }) => userId);
}

async function participants(ctx: Context, threadId: string): Promise<string[]> {
  const [first] = await ctx.db.select().from(comments).where(eq(comments.id, threadId));
  const replies = await ctx.db
    .selectDistinct({ authorId: comments.authorId })
    .from(comments)
    .where(and(eq(comments.replyTo, threadId), isNull(comments.deletedAt)));
  return [first, ...replies].flatMap((each) => each?.authorId ?? []);
}
