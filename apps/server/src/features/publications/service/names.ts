import { inArray } from 'drizzle-orm';
import type { EntityNames } from '../../../platform/entities.ts';
import { publications } from '../table.ts';
import { publicationPath } from '../view.ts';
import { isReadable } from './access.ts';

export const namesOfPublications: EntityNames = async (db, ids) => {
  const rows = await db.select().from(publications).where(inArray(publications.id, ids));
  return new Map(
    rows.map((publication) => [
      publication.id,
      // Readers of one that is not for everyone see its project's name, if they may still see that.
      { name: isReadable(publication, []) ? publication.title : null, path: publicationPath(publication) },
    ]),
  );
};
