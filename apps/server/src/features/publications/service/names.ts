import { inArray } from 'drizzle-orm';
import type { EntityNames } from '../../../platform/entities.ts';
import { publications } from '../table.ts';

export const namesOfPublications: EntityNames = async (db, ids) => {
  const rows = await db
    .select({ id: publications.id, name: publications.title })
    .from(publications)
    .where(inArray(publications.id, ids));
  return new Map(rows.map(({ id, name }) => [id, { name }]));
};
