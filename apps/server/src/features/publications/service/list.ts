import { type Publication, type PublicationListQuery, publicationCategories, publicationTypes } from '@atoll/contract';
import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { callerGrants } from '../../projects/service/access.ts';
import { projectGrants, projects } from '../../projects/table.ts';
import { teamMembers } from '../../teams/table.ts';
import { users } from '../../users/table.ts';
import { publicationAuthors, publications } from '../table.ts';
import { readableOf } from './access.ts';
import { publicationViews } from './relations.ts';

/** Counting stops here, so that a page costs the same however many there are. */
const countLimit = 1_000;
/** So many finds of a search are listed. */
const mostFinds = 1_000;
/** What is frequent is found among the first so many, read in order: the index of words would list too many. */
const walkedFirst = 1_000;

type Filters = Pick<
  PublicationListQuery,
  'search' | 'tags' | 'owner' | 'team' | 'category' | 'type' | 'content_kind' | 'access_level'
>;

export async function listPublications(
  ctx: Context,
  query: PublicationListQuery,
): Promise<{ entries: Publication[]; total: number }> {
  const filters = filtersOf(ctx, query);
  const words = wordsOf(query);
  const [ids, total] = words
    ? await findIds(ctx, query, filters, words)
    : await Promise.all([idsOf(ctx, query, filters), countAll(ctx, filters)]);
  const rows = await ctx.db
    .select({ publication: publications, project: projects, grants: callerGrants(ctx.actor) })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(inArray(publications.id, ids.length > 0 ? ids : [nobody]));
  const shown = rows
    .map((row) => readableOf(ctx, row))
    // What was deleted a moment ago may still be listed.
    .filter(({ project, isReadable }) => !project.deletedAt && isReadable)
    .sort((one, other) => ids.indexOf(one.publication.id) - ids.indexOf(other.publication.id));
  return { entries: await publicationViews(ctx, ctx.db, shown), total };
}

/** Without their projects: then an index has them in order. */
const idsOf = async (ctx: Context, query: PublicationListQuery, filters: SQL | undefined): Promise<string[]> =>
  (
    await ctx.db
      .select({ id: publications.id })
      .from(publications)
      .where(filters)
      .orderBy(...orderOf(query))
      .limit(query.page_size)
      .offset(query.page * query.page_size)
  ).map(({ id }) => id);

/** Public ones, or those of the level asked for that are the caller's own; those for collaborators also by a grant. */
function filtersOf(ctx: Context, query: Filters): SQL | undefined {
  const me = ctx.actor.userId ?? nobody;
  const inProject = (where: SQL) =>
    sql`${publications.projectId} in (select ${projects.id} from ${projects} where ${where})`;
  const mine = or(
    inProject(sql`${projects.ownerId} = ${me}`),
    sql`exists (select from ${publicationAuthors} where ${publicationAuthors.publicationId} = ${publications.id} and ${publicationAuthors.userId} = ${me})`,
  );
  const memberOf = sql`(select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.userId} = ${me})`;
  const sharedWithMe = sql`${publications.projectId} in (select ${projectGrants.projectId} from ${projectGrants}
    where ${projectGrants.permissions} ?| array['view_publications', 'edit', 'publish']
      and (${projectGrants.userId} = ${me} or ${projectGrants.teamId} in ${memberOf}))`;
  return and(
    sql`not ${publications.isBinned}`,
    query.access_level && query.access_level !== 'public'
      ? and(
          eq(publications.accessLevel, query.access_level),
          query.access_level === 'collaborator_shared' ? or(mine, sharedWithMe) : mine,
        )
      : sql`${publications.accessLevel} = 'public' and ${publications.versionId} is not null`,
    query.type && eq(publications.type, query.type),
    query.content_kind?.length ? inArray(publications.contentKind, query.content_kind) : undefined,
    query.category?.length ? inArray(publications.category, query.category) : undefined,
    query.owner ? inProject(sql`${projects.ownerId} in ${ownerId(ctx, query.owner)}`) : undefined,
    query.team
      ? inProject(
          sql`exists (select from ${projectGrants} where ${projectGrants.projectId} = ${projects.id} and ${projectGrants.teamId} = ${query.team})`,
        )
      : undefined,
  );
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const ownerId = (ctx: Context, owner: string) =>
  ctx.db
    .select({ id: users.id })
    .from(users)
    .where(uuid.test(owner) ? eq(users.id, owner) : eq(sql`lower(${users.userName})`, owner.toLowerCase()));

/** Words match at their beginning, tags whole; null when there is nothing to search for. */
function wordsOf({ search, tags }: Filters): string | null {
  const words = (search ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const terms = [
    ...words.slice(0, 10).map((word) => `${quoted(word)}:*`),
    ...(tags ?? []).map((tag) => quoted(tag.toLowerCase())),
  ];
  return terms.length > 0 ? terms.join(' & ') : null;
}

/** The page of what is found, and how many there are as far as they are counted. */
async function findIds(
  ctx: Context,
  query: PublicationListQuery,
  filters: SQL | undefined,
  words: string,
): Promise<[ids: string[], total: number]> {
  const matches = sql`${publications.searchVector} @@ ${words}::tsquery`;
  const page = (found: { id: string }[]) =>
    found.slice(query.page * query.page_size, (query.page + 1) * query.page_size).map(({ id }) => id);
  const first = ctx.db
    .select({ id: publications.id, searchVector: publications.searchVector })
    .from(publications)
    .where(filters)
    .orderBy(...orderOf(query))
    .limit(walkedFirst)
    .as('first');
  const walked = await ctx.db
    .select({ id: first.id })
    .from(first)
    .where(sql`${first.searchVector} @@ ${words}::tsquery`);
  if (walked.length >= (query.page + 1) * query.page_size) return [page(walked), countLimit];
  const found = await ctx.db
    .select({ id: publications.id })
    .from(publications)
    .where(and(filters, matches))
    .orderBy(...orderOf(query))
    .limit(mostFinds);
  return [page(found), found.length];
}

/** As the indexes have it, read forwards or backwards. */
function orderOf({ sort_by, sort_direction }: PublicationListQuery): SQL[] {
  if (sort_by === 'title') {
    const title = sql`lower(${publications.title})`;
    return sort_direction === 'asc' ? [asc(title), asc(publications.id)] : [desc(title), desc(publications.id)];
  }
  const column = {
    published_at: publications.publishedAt,
    share_count: publications.shareCount,
    view_count: publications.viewCount,
  }[sort_by];
  return sort_direction === 'desc'
    ? [sql`${column} desc nulls last`, asc(publications.id)]
    : [sql`${column} asc nulls first`, desc(publications.id)];
}

async function countAll(ctx: Context, filters: SQL | undefined): Promise<number> {
  const some = ctx.db
    .select({ one: sql`1`.as('one') })
    .from(publications)
    .where(filters)
    .limit(countLimit)
    .as('some');
  return ctx.db.$count(some);
}

/** How many there are of each category and type. */
export async function countPublications(ctx: Context, query: Pick<Filters, 'search' | 'tags' | 'owner' | 'team'>) {
  const words = wordsOf(query);
  const some = ctx.db
    .select({ category: publications.category, type: publications.type })
    .from(publications)
    .where(and(filtersOf(ctx, query), words ? sql`${publications.searchVector} @@ ${words}::tsquery` : undefined))
    .limit(10_000)
    .as('some');
  const rows = await ctx.db
    .select({ category: some.category, type: some.type, total: count() })
    .from(some)
    .groupBy(some.category, some.type);
  const sumOf = (isCounted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isCounted).reduce((sum, { total }) => sum + total, 0);
  return {
    total: sumOf(() => true),
    categories: Object.fromEntries(
      publicationCategories.map((category) => [category, sumOf((row) => row.category === category)]),
    ) as Record<(typeof publicationCategories)[number], number>,
    types: Object.fromEntries(publicationTypes.map((type) => [type, sumOf((row) => row.type === type)])) as Record<
      (typeof publicationTypes)[number],
      number
    >,
  };
}
