import { z } from 'zod';
import { id, text, time } from '../fields.ts';
import type { ProjectAbility } from '../projects/access.ts';
import { personSummary } from '../projects/entity.ts';

export const reactions = ['like', 'dislike'] as const;
export type Reaction = (typeof reactions)[number];

/** What a thread is about: the project, one of its files, or a cell of a notebook. */
export const commentAnchor = z.object({ file_id: id.nullable(), cell_id: z.string().nullable() });

export const commentRights = ['edit', 'delete', 'resolve'] as const;
export type CommentRight = (typeof commentRights)[number];

interface RightsInputs {
  isAuthor: boolean;
  isDeleted: boolean;
  isReply: boolean;
  abilities: readonly ProjectAbility[];
}

/** Authors change their words; who may change the project settles threads, who owns it tidies up. Used by both sides. */
export function commentRightsOn({ isAuthor, isDeleted, isReply, abilities }: RightsInputs): CommentRight[] {
  if (isDeleted) return [];
  const has: Record<CommentRight, boolean> = {
    edit: isAuthor,
    delete: isAuthor || abilities.includes('delete'),
    resolve: !isReply && (isAuthor || abilities.includes('edit')),
  };
  return commentRights.filter((right) => has[right]);
}

/** The spec's Comment. */
export const comment = commentAnchor.extend({
  id,
  project_id: id,
  reply_to: id.nullable(),
  author: personSummary.nullable().describe('Null when the account is gone, or the comment deleted'),
  content: z.string().describe('Markdown; empty when deleted'),
  reaction: z.enum(reactions).nullable().describe("The caller's own"),
  likes_count: z.int(),
  dislikes_count: z.int(),
  is_deleted: z.boolean(),
  is_resolved: z.boolean(),
  created_at: time,
  edited_at: time.nullable(),
  permissions: z.array(z.enum(commentRights)),
});
export type Comment = z.infer<typeof comment>;

/** A first comment with its replies, oldest first. */
export const thread = comment.extend({ replies: z.array(comment) });
export type Thread = z.infer<typeof thread>;

export const commentContent = text(10_000).refine((value) => value.trim() !== '', 'Write something first');

/** Names as they are mentioned; what looks like an address is none. */
export const mentionsIn = (content: string): string[] => [
  ...new Set(
    [...content.matchAll(/(?<![\w@.])@([A-Za-z0-9_]{3,40})(?![\w@])/g)].map((found) => (found[1] ?? '').toLowerCase()),
  ),
];
