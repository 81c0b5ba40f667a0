import type { Publication } from '@atoll/contract';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { publications } from '../table.ts';
import { publicationPath } from '../view.ts';
import { listPublications } from './list.ts';
import { isShown } from './shown.ts';

/** The newest, as everybody sees them. */
export const feedEntries = async (ctx: Context): Promise<Publication[]> =>
  (
    await listPublications(ctx, {
      page: 0,
      page_size: 50,
      sort_by: 'published_at',
      sort_direction: 'desc',
    })
  ).entries;

/** One sitemap has room for so many. */
const most = 50_000;

export async function sitemapEntries(ctx: Context): Promise<{ path: string; updatedAt: Date }[]> {
  const rows = await ctx.db
    .select({ contentKind: publications.contentKind, slug: publications.slug, updatedAt: publications.updatedAt })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(and(isShown, isNull(projects.deletedAt)))
    .orderBy(desc(publications.publishedAt))
    .limit(most);
  return rows.map((row) => ({ path: publicationPath(row), updatedAt: row.updatedAt }));
}
