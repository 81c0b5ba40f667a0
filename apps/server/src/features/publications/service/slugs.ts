import { slugFrom, slugLength } from '@atoll/contract';
import { eq, like, or, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { invalidField } from '../../../platform/errors.ts';
import { startingWith } from '../../../platform/like.ts';
import { type PublicationRow, publicationSlugs, publications } from '../table.ts';

/** One after the other: two people who publish at once must not both find the same address free. */
export const lockSlugs = ({ tx }: Write) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('publication_slugs'))`);

/** The old one leads here from now on; one that anybody has or had is refused. */
export async function takeSlug(
  ctx: Context,
  { tx }: Write,
  slug: string,
  before: PublicationRow | null,
): Promise<void> {
  const [present] = await tx.select({ id: publications.id }).from(publications).where(eq(publications.slug, slug));
  const [earlier] = await tx.select().from(publicationSlugs).where(eq(publicationSlugs.slug, slug));
  const isOthers = (id: string | undefined) => id !== undefined && id !== before?.id;
  if (isOthers(present?.id) || isOthers(earlier?.publicationId))
    throw invalidField('slug', 'This address is taken. Choose another one.');
  if (earlier) await tx.delete(publicationSlugs).where(eq(publicationSlugs.slug, slug));
  if (before)
    await tx
      .insert(publicationSlugs)
      .values({ slug: before.slug, publicationId: before.id, createdAt: ctx.now() })
      .onConflictDoNothing();
}

/** Of the title, with a number where it is taken. */
export async function freeSlug({ db }: { db: Context['db'] | Write['tx'] }, title: string): Promise<string> {
  const base = slugFrom(title)
    .slice(0, slugLength - 7)
    .replace(/-+$/, '');
  const wanted = base.length >= 3 ? base : `${base || 'publication'}-${newId().slice(-6)}`;
  const pattern = startingWith(wanted);
  const rows = await db
    .select({ slug: publications.slug })
    .from(publications)
    .where(or(eq(publications.slug, wanted), like(publications.slug, pattern)))
    .unionAll(
      db
        .select({ slug: publicationSlugs.slug })
        .from(publicationSlugs)
        .where(or(eq(publicationSlugs.slug, wanted), like(publicationSlugs.slug, pattern))),
    );
  const taken = new Set(rows.map((row) => row.slug));
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}
