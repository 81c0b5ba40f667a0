import { z } from 'zod';
import { id } from '../fields.ts';
import { topic } from '../topic.ts';
import { comment } from './entity.ts';

/** As anybody sees it: whose the reader's own reaction and rights are, each client knows for itself. */
const events = {
  comment_changed: z.object({ comment: comment.omit({ reaction: true, permissions: true }) }),
  comment_removed: z.object({ id }).describe('Removed completely: it had no replies'),
};

export const commentsTopic = topic('comments:{projectId}', {
  permission: 'comment.view',
  summary: 'Comments on a project, live',
  events,
});

/** With the project in its name, so that what changes rights on the project is checked here, too. */
export const publicationCommentsTopic = topic('publication_comments:{projectId}/{publicationId}', {
  permission: 'comment.view',
  flag: 'publications',
  summary: 'Comments of the readers of a publication, live',
  events,
});

export const fileCommentsTopic = topic('file_comments:{projectId}', {
  permission: 'project.view_source',
  summary: 'Comments on the files and cells of a project, live',
  events,
});
