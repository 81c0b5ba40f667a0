import type { Comment, Thread } from '@atoll/contract/comments/entity';

/** What a list of threads is about: the whole project, a file, a cell, an item or spot of a canvas, or what was published of it. */
export interface About {
  projectId: string;
  fileId?: string;
  cellId?: string;
  itemId?: string;
  spot?: { x: number; y: number };
  publicationId?: string;
}

export const isAbout = (
  comment: Pick<Comment, 'file_id' | 'cell_id' | 'item_id' | 'spot'>,
  { fileId, cellId, itemId, spot }: About,
): boolean =>
  (!fileId || comment.file_id === fileId) &&
  (!cellId || comment.cell_id === cellId) &&
  (!itemId || comment.item_id === itemId) &&
  (!spot || (comment.spot?.x === spot.x && comment.spot.y === spot.y));

/** Puts a comment where it belongs: over the one it was, into its thread, or as a new thread on top. */
export function withComment(threads: Thread[], comment: Comment, about: About): Thread[] {
  if (comment.reply_to)
    return threads.map((thread) =>
      thread.id === comment.reply_to ? { ...thread, replies: placed(thread.replies, comment) } : thread,
    );
  if (threads.some(({ id }) => id === comment.id))
    return threads.map((thread) => (thread.id === comment.id ? { ...thread, ...comment } : thread));
  return isAbout(comment, about) ? [{ ...comment, replies: [] }, ...threads] : threads;
}

const placed = (replies: Comment[], comment: Comment): Comment[] =>
  replies.some(({ id }) => id === comment.id)
    ? replies.map((reply) => (reply.id === comment.id ? comment : reply))
    : [...replies, comment].sort((one, other) => (one.created_at < other.created_at ? -1 : 1));

export const withoutComment = (threads: Thread[], id: string): Thread[] =>
  threads
    .filter((thread) => thread.id !== id)
    .map((thread) => ({ ...thread, replies: thread.replies.filter((reply) => reply.id !== id) }));

export const findComment = (threads: Thread[], id: string): Comment | undefined =>
  threads.flatMap((thread) => [thread, ...thread.replies]).find((comment) => comment.id === id);

/** The name being typed after an @ right before the caret, if any. */
export const mentionAt = (text: string, caret: number): string | null =>
  /(?:^|[^\w@.])@([A-Za-z0-9_]{2,40})$/.exec(text.slice(0, caret))?.[1] ?? null;

export const withMention = (text: string, caret: number, name: string): { text: string; caret: number } => {
  const before = text.slice(0, caret).replace(/@[A-Za-z0-9_]*$/, `@${name} `);
  return { text: before + text.slice(caret), caret: before.length };
};
