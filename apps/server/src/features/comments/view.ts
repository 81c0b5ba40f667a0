import type { Comment, PersonSummary, Thread } from '@atoll/contract';
import type { CommentWithRelations, ThreadWithReplies } from './service/read.ts';
import type { CommentRow } from './table.ts';

/** As everybody sees it. */
export const sharedCommentView = (
  comment: CommentRow,
  author: PersonSummary | null,
): Omit<Comment, 'reaction' | 'permissions'> => ({
  id: comment.id,
  project_id: comment.projectId,
  file_id: comment.fileId,
  cell_id: comment.cellId,
  item_id: comment.itemId,
  spot: comment.spotX === null || comment.spotY === null ? null : { x: comment.spotX, y: comment.spotY },
  reply_to: comment.replyTo,
  author,
  content: comment.content,
  likes_count: comment.likesCount,
  dislikes_count: comment.dislikesCount,
  is_deleted: comment.deletedAt !== null,
  is_resolved: comment.resolvedAt !== null,
  created_at: comment.createdAt.toISOString(),
  edited_at: comment.editedAt?.toISOString() ?? null,
});

export const commentView = (found: CommentWithRelations): Comment => ({
  ...sharedCommentView(found.comment, found.author),
  reaction: found.reaction,
  permissions: found.rights,
});

export const threadView = (thread: ThreadWithReplies): Thread => ({
  ...commentView(thread),
  replies: thread.replies.map(commentView),
});
