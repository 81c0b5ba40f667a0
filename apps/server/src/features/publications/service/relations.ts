import { type Publication, type Tag, targetKinds } from '@atoll/contract';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { tags } from '../../projects/table.ts';
import { reportSettings } from '../../reports/table.ts';
import { publicationAuthors, publicationClaps, publicationTags } from '../table.ts';
import { publicationView } from '../view.ts';
import type { ReadablePublication } from './access.ts';

/** As the caller sees them, in a few queries however many they are. */
export async function publicationViews(
  ctx: Context,
  db: Database | Transaction,
  readable: ReadablePublication[],
): Promise<Publication[]> {
  if (readable.length === 0) return [];
  const ids = readable.map(({ publication }) => publication.id);
  const published = readable.filter(({ abilities }) => abilities.includes('publish'));
  const [authorRows, tagRows, claps, reports] = await Promise.all([
    db
      .select()
      .from(publicationAuthors)
      .where(inArray(publicationAuthors.publicationId, ids))
      .orderBy(asc(publicationAuthors.position)),
    db
      .select({ publicationId: publicationTags.publicationId, id: tags.id, name: tags.name })
      .from(publicationTags)
      .innerJoin(tags, eq(tags.id, publicationTags.tagId))
      .where(inArray(publicationTags.publicationId, ids))
      .orderBy(asc(tags.name)),
    db
      .select({ id: publicationClaps.publicationId })
      .from(publicationClaps)
      .where(
        and(inArray(publicationClaps.publicationId, ids), eq(publicationClaps.userId, ctx.actor.userId ?? nobody)),
      ),
    published.length === 0
      ? []
      : db
          .select({ id: reportSettings.publicationId, delivery: reportSettings.delivery })
          .from(reportSettings)
          .where(
            and(
              reportSettings.isEnabled,
              inArray(
                reportSettings.publicationId,
                published.map(({ publication }) => publication.id),
              ),
            ),
          ),
  ]);
  const people = await loadPeople(db as Database, [
    ...readable.map(({ project }) => project.ownerId),
    ...authorRows.map(({ userId }) => userId),
  ]);
  const delivered = new Map(reports.map(({ id, delivery }) => [id, delivery]));
  const clapped = new Set(claps.map(({ id }) => id));
  return readable.flatMap((each) => {
    const { id } = each.publication;
    const owner = people.get(each.project.ownerId);
    if (!owner) return [];
    const authors = authorRows
      .filter((row) => row.publicationId === id)
      .flatMap(({ userId }) => people.get(userId) ?? []);
    return publicationView(each, {
      owner,
      authors: authors.length > 0 ? authors : [owner],
      tags: tagRows.filter((row) => row.publicationId === id).map((row): Tag => ({ id: row.id, name: row.name })),
      hasClapped: clapped.has(id),
      providers: targetKinds.filter((kind) => delivered.get(id)?.[kind]?.enabled),
    });
  });
}

export async function viewPublication(
  ctx: Context,
  db: Database | Transaction,
  readable: ReadablePublication,
): Promise<Publication> {
  const [view] = await publicationViews(ctx, db, [readable]);
  if (!view) throw notFound('This publication');
  return view;
}
