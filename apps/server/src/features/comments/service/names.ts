import { and, inArray, isNull } from 'drizzle-orm';
import type { EntityNames } from '../../../platform/entities.ts';
import { comments } from '../table.ts';

/** A comment has no name: it is shown with its project's. */
export const namesOfComments: EntityNames = async (db, ids) => {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(and(inArray(comments.id, ids), isNull(comments.deletedAt)));
  return new Map(rows.map(({ id }) => [id, { name: null }]));
};
