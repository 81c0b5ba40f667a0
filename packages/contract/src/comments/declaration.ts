import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const commentsDeclaration = declare({
  permissions: ['comment.view', 'comment.create', 'comment.edit'],
  events: {
    'comment.created': z.object({ project_id: id, comment_id: id, by_user_id: id }),
    'comment.updated': z.object({ project_id: id, comment_id: id, mentioned: z.array(id) }),
    'comment.settled': z.object({ project_id: id, comment_id: id, is_resolved: z.boolean() }),
    'comment.deleted': z.object({ project_id: id, comment_id: id, publication_id: id.nullable().default(null) }),
    'comment.liked': z.object({ project_id: id, comment_id: id, by_user_id: id }),
    'comment.reported': z.object({ project_id: id, comment_id: id, by_user_id: id }),
  },
  entities: ['comment'],
});
