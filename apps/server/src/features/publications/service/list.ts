import { type Publication, type PublicationListQuery, publicationCategories, publicationTypes } from '@atoll/contract';
import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { accessOf, allGranted, callerGrants } from '../../projects/service/access.ts';
import { projectGrants, projects } from '../../projects/table.ts';
import { users } from '../../users/table.ts';
import { publicationAuthors, publications } from '../table.ts';
import { isReadable } from './access.ts';
import { publicationViews } from './relations.ts';

/** Counting stops here, so that a page costs the same however many there are. */
const countLimit = 10_000;
/** So many finds of a search are listed. */
const mostFinds = 1_000;
/** What is frequent is found among the first so many, read in order: the index of words would list too many. */
const walkedFirst = 5_000;

type Filters = Pick<PublicationListQuery, 'search' | 'tags' | 'owner' | 'team' | 'category' | 'type' | 'access_level'>;

export async function listPublications(
  ctx: Context,
  query: PublicationListQuery,
): Promise<{ entries: Publication[]; total: number }> {
  const filters = filtersOf(ctx, query);
  const words = wordsOf(query);
  const until = (query.page + 1) * query.page_size;
  const ids = words ? await findIds(ctx, query, filters, words, until) : null;
  const rows = await ctx.db
    .select({ publication: publications, project: projects, grants: callerGrants(ctx.actor) })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(ids ? inArray(publications.id, ids.length > 0 ? ids : [nobody]) : filters)
    .orderBy(...orderOf(query))
    .limit(query.page_size)
    .offset(query.page * query.page_size);
  const readable = rows.map(({ grants, ...row }) => ({
    ...row,
    abilities: accessOf(ctx.actor, row.project, allGranted(grants)).abilities,
    isReadable: true,
  }));
  const shown = readable.filter(({ publication, abilities }) => isReadable(publication, abilities));
  return {
    entries: await publicationViews(ctx, ctx.db, shown),
    total: ids ? ids.length : await countAll(ctx, filters),
  };
}

/** Public ones, or those of the level asked for that are one's own. */
function filtersOf(ctx: Context, query: Filters): SQL | undefined {
  const me = ctx.actor.userId ?? nobody;
  const mine = or(
    eq(projects.ownerId, me),
    sql`exists (select from ${publicationAuthors} where ${publicationAuthors.publicationId} = ${publications.id} and ${publicationAuthors.userId} = ${me})`,
  );
  return and(
    isNull(projects.deletedAt),
    query.access_level && query.access_level !== 'public'
      ? and(eq(publications.accessLevel, query.access_level), mine)
      : sql`${publications.accessLevel} = 'public' and ${publications.versionId} is not null`,
    query.type && eq(publications.type, query.type),
    query.category?.length ? inArray(publications.category, query.category) : undefined,
    query.owner ? inArray(projects.ownerId, ownerId(ctx, query.owner)) : undefined,
    query.team
      ? sql`exists (select from ${projectGrants} where ${projectGrants.projectId} = ${projects.id} and ${projectGrants.teamId} = ${query.team})`
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

async function findIds(
  ctx: Context,
  query: PublicationListQuery,
  filters: SQL | undefined,
  words: string,
  until: number,
): Promise<string[]> {
  const matches = sql`${publications.searchVector} @@ ${words}::tsquery`;
  const select = (where: SQL | undefined, limit: number) =>
    ctx.db
      .select({ id: publications.id, isMatch: matches.mapWith(Boolean).as('is_match') })
      .from(publications)
      .innerJoin(projects, eq(projects.id, publications.projectId))
      .where(where)
      .orderBy(...orderOf(query))
      .limit(limit);
  const first = (await select(filters, walkedFirst)).filter(({ isMatch }) => isMatch);
  const found = first.length >= until ? first : await select(and(filters, matches), mostFinds);
  return found.slice(0, mostFinds).map(({ id }) => id);
}

function orderOf({ sort_by, sort_direction }: PublicationListQuery): SQL[] {
  const column = {
    published_at: publications.publishedAt,
    title: sql`lower(${publications.title})`,
    share_count: publications.shareCount,
    view_count: publications.viewCount,
  }[sort_by];
  const direction = sort_direction === 'asc' ? asc : desc;
  return [direction(column), asc(publications.id)];
}

async function countAll(ctx: Context, filters: SQL | undefined): Promise<number> {
  const some = ctx.db
    .select({ one: sql`1`.as('one') })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(filters)
    .limit(countLimit)
    .as('some');
  const [counted] = await ctx.db.select({ total: count() }).from(some);
  return counted?.total ?? 0;
}

/** How many there are of each category and type. */
export async function countPublications(ctx: Context, query: Pick<Filters, 'search' | 'tags' | 'owner' | 'team'>) {
  const words = wordsOf(query);
  const some = ctx.db
    .select({ category: publications.category, type: publications.type })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(and(filtersOf(ctx, query), words ? sql`${publications.searchVector} @@ ${words}::tsquery` : undefined))
    .limit(countLimit)
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
