import { topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/db/database.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message, type TopicMessage } from '../../platform/realtime/stream.ts';
import { loadPerson } from '../projects/service/relations.ts';
import { comments } from './table.ts';
import { sharedCommentView } from './view.ts';

/** The comment as it is at the end of the transaction, to those who may read what it is about. */
async function changed(
  tx: Transaction,
  projectId: string,
  id: string,
  publicationOfDeleted: string | null = null,
): Promise<TopicMessage[]> {
  const [row] = await tx.select().from(comments).where(eq(comments.id, id));
  if (!row) {
    // Nobody may know any more what it was about, and an id says nothing.
    const removed = { id };
    if (publicationOfDeleted) {
      const place = { projectId, publicationId: publicationOfDeleted };
      return [message(topics.publicationComments, place, 'comment_removed', removed)];
    }
    return [
      message(topics.comments, { projectId }, 'comment_removed', removed),
      message(topics.fileComments, { projectId }, 'comment_removed', removed),
    ];
  }
  const author = await loadPerson(tx, row.deletedAt ? null : row.authorId);
  const comment = sharedCommentView(row, author);
  const { publicationId } = row;
  if (publicationId)
    return [message(topics.publicationComments, { projectId, publicationId }, 'comment_changed', { comment })];
  const topic = row.fileId ? topics.fileComments : topics.comments;
  return [message(topic, { projectId }, 'comment_changed', { comment })];
}

export const commentBroadcasts: Broadcasts = {
  'comment.created': (tx, { project_id, comment_id }) => changed(tx, project_id, comment_id),
  'comment.updated': (tx, { project_id, comment_id }) => changed(tx, project_id, comment_id),
  'comment.settled': (tx, { project_id, comment_id }) => changed(tx, project_id, comment_id),
  'comment.deleted': (tx, { project_id, comment_id, publication_id }) =>
    changed(tx, project_id, comment_id, publication_id),
  'comment.liked': (tx, { project_id, comment_id }) => changed(tx, project_id, comment_id),
};
