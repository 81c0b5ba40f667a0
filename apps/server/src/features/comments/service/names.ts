import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { EntityNames } from '../../../platform/entities.ts';
import { isReadable } from '../../publications/service/access.ts';
import { publications } from '../../publications/table.ts';
import { publicationPath } from '../../publications/view.ts';
import { comments } from '../table.ts';

/** A comment has no name: it is shown with its project's, or with that of the publication, which everyone may know. */
export const namesOfComments: EntityNames = async (db, ids) => {
  const rows = await db
    .select({ id: comments.id, publication: publications })
    .from(comments)
    .leftJoin(publications, eq(publications.id, comments.publicationId))
    .where(and(inArray(comments.id, ids), isNull(comments.deletedAt)));
  return new Map(
    rows.map(({ id, publication }) => [
      id,
      publication
        ? { name: isReadable(publication, []) ? publication.title : null, path: publicationPath(publication) }
        : { name: null },
    ]),
  );
};
