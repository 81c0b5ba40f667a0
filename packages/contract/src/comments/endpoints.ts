import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, flag, id, list, page, text } from '../fields.ts';
import { cellId } from '../notebook/entity.ts';
import { comment, commentContent, commentSpot, reactions, thread } from './entity.ts';

const tag = 'Comments';
const byId = z.strictObject({ id, commentId: id });

export const commentEndpoints = {
  list: endpoint('GET', '/v1/notebooks/{id}/comments', {
    permission: 'comment.view',
    tag,
    summary: 'Threads of comments, newest first',
    description: 'Of the whole project, or of one file or cell. Comments on files need the right to view the source.',
  })
    .input(
      z.strictObject({
        id,
        page: page(1),
        page_size: page(100, 100),
        project_file_id: id.optional(),
        cell_id: cellId.optional(),
        item_id: cellId.optional(),
        is_resolved: flag.optional(),
        publication_id: id.optional().describe('Of a publication: for everybody who may read it'),
      }),
    )
    .output(list(thread)),

  create: endpoint('POST', '/v1/notebooks/{id}/comments', {
    permission: 'comment.create',
    tag,
    summary: 'Comment, or reply',
    description:
      'A reply is about what its thread is about. A cell, an item and a spot are of a notebook or canvas, `file_id`; one of the three.',
  })
    .input(
      z.strictObject({
        id,
        content: commentContent,
        reply_to: id.nullable().optional(),
        file_id: id.nullable().optional(),
        cell_id: cellId.nullable().optional(),
        item_id: cellId.nullable().optional(),
        spot: commentSpot.nullable().optional(),
        publication_id: id.nullable().optional(),
      }),
    )
    .output(comment),

  update: endpoint('PATCH', '/v1/notebooks/{id}/comments/{commentId}', {
    permission: 'comment.edit',
    tag,
    summary: 'Edit a comment, or resolve a thread',
    description:
      'The author changes the content; people who can edit the project and the author of the thread can resolve it.',
  })
    .input(byId.extend({ content: commentContent.optional(), is_resolved: z.boolean().optional() }))
    .output(comment),

  delete: endpoint('DELETE', '/v1/notebooks/{id}/comments/{commentId}', {
    permission: 'comment.edit',
    tag,
    summary: 'Delete a comment',
    description: 'By its author or the owner of the project. A comment with replies stays, without its text.',
  })
    .input(byId)
    .output(done),

  react: endpoint('POST', '/v1/notebooks/{id}/comments/{commentId}/react', {
    permission: 'comment.create',
    tag,
    summary: 'Like or dislike a comment',
  })
    .input(byId.extend({ reaction: z.enum(reactions) }))
    .output(comment),

  unreact: endpoint('DELETE', '/v1/notebooks/{id}/comments/{commentId}/react', {
    permission: 'comment.create',
    tag,
    summary: 'Remove a like or dislike',
  })
    .input(byId)
    .output(comment),

  report: endpoint('POST', '/v1/notebooks/{id}/comments/{commentId}/report', {
    permission: 'comment.edit',
    limit: 'mail',
    tag,
    summary: 'Report a comment',
  })
    .input(byId.extend({ reason: text(1_000).refine((value) => value.trim() !== '', 'Say what is wrong with it') }))
    .output(done),
};
