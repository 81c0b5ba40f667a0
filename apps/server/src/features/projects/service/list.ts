import type { ProjectListQuery } from '@atoll/contract';
import { and, asc, count, desc, eq, exists, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projectGrants, projects, projectTags, projectViews, tags } from '../table.ts';
import { type ProjectWithRelations, withRelations } from './relations.ts';

/** Counting stops here, so that a page costs the same however many projects there are. */
const countLimit = 10_000;

export async function listProjects(
  ctx: Context,
  query: ProjectListQuery,
): Promise<{ entries: ProjectWithRelations[]; total: number }> {
  const where = and(...conditions(ctx, query));
  const rows = await ctx.db
    .select({ project: projects })
    .from(projects)
    .leftJoin(projectViews, and(eq(projectViews.projectId, projects.id), eq(projectViews.userId, me(ctx))))
    .where(where)
    .orderBy(...order(query))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const counted = ctx.db.select({ id: projects.id }).from(projects).where(where).limit(countLimit).as('counted');
  const [total] = await ctx.db.select({ value: count() }).from(counted);
  return {
    entries: await withRelations(
      ctx,
      rows.map((row) => row.project),
    ),
    total: total?.value ?? 0,
  };
}

const nobody = '00000000-0000-0000-0000-000000000000';
const me = (ctx: Context) => ctx.actor.userId ?? nobody;

function conditions(ctx: Context, query: ProjectListQuery): (SQL | undefined)[] {
  const filters = query.mode_filter ?? [];
  const isBin = filters.includes('deleted');
  return [
    // The bin is one's own, whatever the mode.
    isBin ? and(isNotNull(projects.deletedAt), eq(projects.ownerId, me(ctx))) : isNull(projects.deletedAt),
    isBin ? undefined : modeCondition(ctx, query.mode),
    filters.includes('owned') ? eq(projects.ownerId, me(ctx)) : undefined,
    filters.includes('authored') ? grantedTo(me(ctx), eq(projectGrants.isAuthor, true)) : undefined,
    filters.includes('public') ? ne(projects.visibility, 'private') : undefined,
    filters.includes('private') ? eq(projects.visibility, 'private') : undefined,
    query.owned_by ? eq(projects.ownerId, query.owned_by) : undefined,
    query.authored_by
      ? or(
          and(eq(projects.creatorId, query.authored_by), eq(projects.ownerId, query.authored_by)),
          grantedTo(query.authored_by, eq(projectGrants.isAuthor, true)),
        )
      : undefined,
    query.section ? eq(projects.section, query.section) : undefined,
    query.type?.length ? inArray(projects.kind, query.type) : undefined,
    query.is_ai_project === undefined ? undefined : kindIs('ai', query.is_ai_project),
    query.is_bi_project === undefined ? undefined : kindIs('bi', query.is_bi_project),
    ...(query.tags ?? []).map(tagged),
    query.search ? matches(query.search) : undefined,
  ];
}

const kindIs = (kind: 'ai' | 'bi', wanted: boolean) => (wanted ? eq(projects.kind, kind) : ne(projects.kind, kind));

const shown = sql`${projects.visibility} in ('public', 'open')`;

function modeCondition(ctx: Context, mode: ProjectListQuery['mode']): SQL | undefined {
  const mine = eq(projects.ownerId, me(ctx));
  const shared = and(grantedTo(me(ctx)), ne(projects.ownerId, me(ctx)));
  if (mode === 'my') return mine;
  if (mode === 'shared') return shared;
  if (mode === 'community') return shown;
  return or(mine, shown, shared);
}

const grantedTo = (userId: string, extra?: SQL) =>
  inArray(
    projects.id,
    sql`(select ${projectGrants.projectId} from ${projectGrants} where ${and(eq(projectGrants.userId, userId), extra)})`,
  );

const tagged = (name: string) =>
  exists(
    sql`(select 1 from ${projectTags} join ${tags} on ${tags.id} = ${projectTags.tagId} where ${projectTags.projectId} = ${projects.id} and lower(${tags.name}) = ${name.toLowerCase()})`,
  );

/** Whole words and beginnings of words by full text; a typo by trigrams. Both are indexed. */
function matches(search: string): SQL | undefined {
  const words = search.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return sql`false`;
  const prefixes = words.map((word) => `${word}:*`).join(' & ');
  return or(
    sql`to_tsvector('simple', ${projects.searchText}) @@ to_tsquery('simple', ${prefixes})`,
    sql`${search.toLowerCase()} <% ${projects.searchText}`,
  );
}

function order(query: ProjectListQuery): SQL[] {
  const direction = (column: SQL) =>
    query.sort_direction === 'asc' ? sql`${column} asc nulls last` : sql`${column} desc nulls last`;
  const columns: Record<ProjectListQuery['sort_by'], SQL> = {
    updated_at: sql`${projects.updatedAt}`,
    created_at: sql`${projects.createdAt}`,
    name: sql`lower(${projects.name})`,
    clone_count: sql`${projects.cloneCount}`,
    shares: sql`${projects.shareCount}`,
    views: sql`${projects.viewCount}`,
    last_view: sql`${projectViews.viewedAt}`,
  };
  // What fits best comes first, unless another order was asked for.
  const isRanked = query.search && query.sort_by === 'updated_at';
  const rank = isRanked ? [desc(sql`word_similarity(${query.search?.toLowerCase()}, ${projects.searchText})`)] : [];
  return [...rank, direction(columns[query.sort_by]), asc(projects.id)];
}

export async function listTags(ctx: Context, search: string | undefined): Promise<{ id: string; name: string }[]> {
  const pattern = `${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  return ctx.db
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .where(search ? sql`${tags.name} ilike ${pattern}` : undefined)
    .orderBy(asc(tags.name))
    .limit(100);
}
