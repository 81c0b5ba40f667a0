import { z } from 'zod';
import { id, text, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { commentRights } from './rights.ts';

export const reactions = ['like', 'dislike'] as const;
export type Reaction = (typeof reactions)[number];

/** A place on a canvas. */
export const commentSpot = z.strictObject({
  x: z.number().min(-1_000_000).max(1_000_000),
  y: z.number().min(-1_000_000).max(1_000_000),
});

/** What a thread is about: the project, one of its files, a cell of a notebook, or an item or a spot of a canvas. */
export const commentAnchor = z.object({
  file_id: id.nullable(),
  cell_id: z.string().nullable(),
  item_id: z.string().nullable().describe('What stands beside the cells of a canvas'),
  spot: commentSpot.nullable(),
});

/** The spec's Comment. */
export const comment = commentAnchor.extend({
  id,
  project_id: id,
  reply_to: id.nullable(),
  author: personSummary.nullable().describe('Null when the account or the comment was deleted'),
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
