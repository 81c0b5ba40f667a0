import type { ProjectListQuery } from '@atoll/contract';
import { and, asc, count, desc, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { startingWith } from '../../../platform/like.ts';
import { type ProjectRow, projects, projectViews, tags } from '../table.ts';
import { type Branch, branchesOf, contains, order, viewOf } from './list-branches.ts';
import { type ProjectWithRelations, withRelations } from './relations.ts';
import { facetTerms, wordsOf, wordTerms } from './search-terms.ts';

/** Counting stops here, so that a page costs the same however many projects there are. */
const countLimit = 10_000;
/** So many finds of a search are listed: the newest, or the first in the order asked for. Among one's own it may be more. */
const maxFinds = (query: ProjectListQuery) => (query.mode === 'my' || query.mode === 'shared' ? 1_000 : 100);
/** What is frequent is found among the first so many projects, read in order; the index of words would list too many. */
const walkedFirst = 6_000;
/** Among so many one sees how frequent it is. */
const probed = 500;

interface Page {
  entries: ProjectWithRelations[];
  total: number;
}

export async function listProjects(ctx: Context, query: ProjectListQuery): Promise<Page> {
  if (query.search) return searchProjects(ctx, query, query.search);
  const terms = facetTerms(query);
  const found = await find(ctx, query, { terms, rankedBy: null, limit: query.page * query.page_size });
  const [entries, total] = await Promise.all([entriesOf(ctx, found.rows), found.total ?? countAll(ctx, query, terms)]);
  return { entries, total: Math.min(total, countLimit) };
}

async function searchProjects(ctx: Context, query: ProjectListQuery, search: string): Promise<Page> {
  const words = wordsOf(search);
  for (const by of ['beginning', 'likeness'] as const) {
    const searched = words.length > 0 ? await wordTerms(ctx, words, by) : null;
    if (searched === null) continue;
    const terms = [facetTerms(query), searched].filter((term) => term !== null).join(' & ');
    const isRanked = query.sort_by === 'updated_at' && query.sort_direction === 'desc';
    const found = await find(ctx, query, { terms, rankedBy: isRanked ? searched : null, limit: maxFinds(query) });
    const total = Math.min(found.total ?? maxFinds(query), maxFinds(query));
    if (total > 0) return { entries: await entriesOf(ctx, found.rows), total };
  }
  return { entries: [], total: 0 };
}

interface Search {
  terms: string | null;
  /** The words that decide what comes first; null for the order asked for. */
  rankedBy: string | null;
  /** Of so many the page is cut. */
  limit: number;
}

interface Found {
  rows: { project: ProjectRow }[];
  /** Null where finding the page did not count them. */
  total: number | null;
}

async function find(ctx: Context, query: ProjectListQuery, search: Search): Promise<Found> {
  const { terms, limit } = search;
  const plain = branchesOf(ctx, query, null);
  if (terms === null) {
    const isCounted = plain.every((branch) => branch.isReadWhole);
    const selects = plain.map((branch) => select(branch, limit, isCounted ? allMatches : undefined));
    return found(query, await cutPage(ctx, query, search, selects), isCounted);
  }
  if (await isFrequent(ctx, plain, terms, limit)) {
    const rows = await cutPage(
      ctx,
      query,
      search,
      plain.map((branch) => walk(branch, terms, limit)),
    );
    if ((rows[0]?.found ?? 0) >= limit) return { rows, total: null };
  }
  // The index of words gives all matches before the first of them can be shown, so they are counted on the way.
  const indexed = branchesOf(ctx, query, terms).map((branch) => select(branch, limit, allMatches));
  return found(query, await cutPage(ctx, query, search, indexed), true);
}

const allMatches = sql`count(*) over ()`;

function found(query: ProjectListQuery, rows: Awaited<ReturnType<typeof cutPage>>, isCounted: boolean): Found {
  const isPastEnd = rows.length === 0 && query.page > 1;
  return { rows, total: isCounted && !isPastEnd ? (rows[0]?.total ?? 0) : null };
}

async function isFrequent(ctx: Context, branches: Branch[], terms: string, limit: number): Promise<boolean> {
  const wide = branches.filter((branch) => branch.isWide);
  if (wide.length === 0) return false;
  const [first] = await ctx.db
    .select({ found: count() })
    .from(sql`(${union(wide.map((branch) => select(branch, probed)))}) projects`)
    .where(contains(terms));
  return (first?.found ?? 0) * (walkedFirst / probed) >= limit;
}

function cutPage(ctx: Context, query: ProjectListQuery, search: Search, selects: SQL[]) {
  const ranking = search.rankedBy ? [desc(sql`ts_rank(${projects.searchVector}, ${search.rankedBy}::tsquery)`)] : [];
  const matches = selects.map(
    (_, part) => sql`coalesce(max(found.matches) filter (where found.part = ${part}) over (), 0)`,
  );
  return ctx.db
    .select({
      project: projects,
      found: sql<number>`(count(*) over ())::int`,
      total: sql<number>`(${sql.join(matches, sql` + `)})::int`,
    })
    .from(projects)
    .innerJoin(sql`(${union(selects)}) found`, sql`found.id = ${projects.id}`)
    .leftJoin(projectViews, viewOf(ctx))
    .orderBy(...ranking, ...order(query))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
}

async function countAll(ctx: Context, query: ProjectListQuery, terms: string | null): Promise<number> {
  // Without a column of its own a row is counted in the index, and not looked up.
  const all = branchesOf(ctx, query, terms).map(
    ({ join, where }) => sql`(select from ${projects} ${join ?? sql``} where ${where} limit ${countLimit})`,
  );
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(sql`(select 1 from (${union(all)}) found limit ${countLimit}) counted`);
  return counted?.total ?? 0;
}

const select = ({ where, order, join }: Omit<Branch, 'isWide'>, limit: number, matches = sql`0`) => {
  const sorted = order.length > 0 ? sql`order by ${sql.join(order, sql`, `)}` : sql``;
  return sql`(select ${projects.id}, ${projects.searchVector}, ${matches} as matches from ${projects} ${join ?? sql``} where ${where} ${sorted} limit ${limit})`;
};

const walk = (branch: Branch, terms: string, limit: number) =>
  branch.isWide
    ? sql`(select * from ${select(branch, walkedFirst)} projects where ${contains(terms)} limit ${limit})`
    : select({ ...branch, where: and(branch.where, contains(terms)) }, limit);

const union = (selects: SQL[]) =>
  sql.join(
    selects.map((one, part) => sql`select *, ${sql.raw(String(part))} as part from ${one} one`),
    sql` union all `,
  );

const entriesOf = (ctx: Context, rows: { project: ProjectRow }[]) =>
  withRelations(
    ctx,
    rows.map((row) => row.project),
  );

export async function listTags(ctx: Context, search: string | undefined): Promise<{ id: string; name: string }[]> {
  const pattern = startingWith(search ?? '');
  return ctx.db
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .where(search ? sql`${tags.name} ilike ${pattern}` : undefined)
    .orderBy(asc(tags.name))
    .limit(100);
}
