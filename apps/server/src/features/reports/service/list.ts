import type { EndpointInput, Publication } from '@atoll/contract';
import { and, count, desc, eq, or, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { callerGrants } from '../../projects/service/access.ts';
import { projects } from '../../projects/table.ts';
import { readableOf } from '../../publications/service/access.ts';
import { publicationViews } from '../../publications/service/relations.ts';
import { publicationAuthors, publications } from '../../publications/table.ts';
import { reportSettings } from '../table.ts';

/** Those that are one's own or that one is an author of, and public ones. */
export async function listReports(
  ctx: Context,
  { page, page_size, search, own }: EndpointInput<'reports', 'list'>,
): Promise<{ entries: Publication[]; total: number }> {
  const me = ctx.actor.userId ?? nobody;
  const isMine = or(
    eq(projects.ownerId, me),
    sql`exists (select from ${publicationAuthors} where ${publicationAuthors.publicationId} = ${publications.id} and ${publicationAuthors.userId} = ${me})`,
  );
  const isPublic = sql`${publications.accessLevel} = 'public' and ${publications.versionId} is not null`;
  const words = (search ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const terms = words.slice(0, 10).map((word) => `'${word}':*`);
  const where = and(
    eq(reportSettings.isEnabled, true),
    sql`not ${publications.isBinned}`,
    own ? isMine : or(isMine, isPublic),
    terms.length > 0 ? sql`${publications.searchVector} @@ ${terms.join(' & ')}::tsquery` : undefined,
  );
  const reports = () =>
    ctx.db
      .select({ publication: publications, project: projects, grants: callerGrants(ctx.actor) })
      .from(reportSettings)
      .innerJoin(publications, eq(publications.id, reportSettings.publicationId))
      .innerJoin(projects, eq(projects.id, publications.projectId))
      .where(where);
  const [rows, [counted]] = await Promise.all([
    reports()
      .orderBy(desc(publications.updatedAt), desc(publications.id))
      .limit(page_size)
      .offset(page * page_size),
    ctx.db
      .select({ total: count() })
      .from(reportSettings)
      .innerJoin(publications, eq(publications.id, reportSettings.publicationId))
      .innerJoin(projects, eq(projects.id, publications.projectId))
      .where(where),
  ]);
  const shown = rows
    .map((row) => readableOf(ctx, row))
    .filter(({ project, isReadable }) => !project.deletedAt && isReadable);
  return { entries: await publicationViews(ctx, ctx.db, shown), total: counted?.total ?? 0 };
}
