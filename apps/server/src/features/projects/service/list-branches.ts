import type { ProjectListQuery } from '@atoll/contract';
import { and, asc, eq, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { teamMembers } from '../../teams/table.ts';
import { projectGrants, projects, projectViews } from '../table.ts';

/** A part of a list that one index can give in order, as far as it is needed; a condition with `or` could not be read so. */
export interface Branch {
  where: SQL | undefined;
  order: SQL[];
  join?: SQL;
  /** Grows with all projects, not with one person's. */
  isWide: boolean;
  /** No index has it in order: all of it is read for any page. */
  isReadWhole?: boolean;
}

/** No project is in two branches. With `terms` they are read by the index of words, without them in their order. */
export function branchesOf(ctx: Context, query: ProjectListQuery, terms: string | null): Branch[] {
  const filters = and(...conditions(ctx, query));
  const isBin = query.mode_filter?.includes('deleted') ?? false;
  const live = isBin ? isNotNull(projects.deletedAt) : isNull(projects.deletedAt);
  const found = terms === null ? undefined : contains(terms);
  const mine = {
    where: and(eq(projects.ownerId, me(ctx)), live, eq(projects.isHidden, false), filters, found),
    isWide: false,
  };
  const shared = {
    where: and(reaching(me(ctx)), ne(projects.ownerId, me(ctx)), live, filters, found),
    isWide: false,
    isReadWhole: true,
  };
  // Named by its word, or else the database joins the list of everything shown with the list of finds.
  const shown = terms === null ? and(live, isShown) : contains(`${terms} & 'is:shown'`);
  const others = query.mode === 'all' ? and(ne(projects.ownerId, me(ctx)), not(reaching(me(ctx)))) : undefined;
  const community = { where: and(shown, others, filters), isWide: true };
  // The bin is one's own, whatever the mode.
  const mode = isBin ? 'my' : query.mode;
  const branches = { my: [mine], shared: [shared], community: [community], all: [mine, shared, community] }[mode];
  if (query.sort_by !== 'last_view') return branches.map((branch) => ({ ...branch, order: order(query) }));
  const join = sql`left join ${projectViews} on ${viewOf(ctx)}`;
  return branches.flatMap(({ where, isWide }) => [
    { where: and(where, isNotNull(projectViews.viewedAt)), order: order(query), join, isWide: false },
    { where: and(where, isNull(projectViews.viewedAt)), order: [asc(projects.id)], join, isWide },
  ]);
}

export const contains = (terms: string) => sql`${projects.searchVector} @@ ${terms}::tsquery`;
const isShown = sql`${projects.visibility} in ('public', 'open')`;

const me = (ctx: Context) => ctx.actor.userId ?? nobody;
export const viewOf = (ctx: Context) => and(eq(projectViews.projectId, projects.id), eq(projectViews.userId, me(ctx)));

function conditions(ctx: Context, query: ProjectListQuery): (SQL | undefined)[] {
  const filters = query.mode_filter ?? [];
  return [
    filters.includes('owned') ? eq(projects.ownerId, me(ctx)) : undefined,
    filters.includes('authored') ? authoredBy(me(ctx)) : undefined,
    filters.includes('public') ? ne(projects.visibility, 'private') : undefined,
    filters.includes('private') ? eq(projects.visibility, 'private') : undefined,
    query.owned_by ? eq(projects.ownerId, query.owned_by) : undefined,
    query.authored_by ? authoredBy(query.authored_by) : undefined,
    query.section ? eq(projects.section, query.section) : undefined,
    query.type?.length ? inArray(projects.kind, query.type) : undefined,
    query.is_ai_project === undefined ? undefined : kindIs('ai', query.is_ai_project),
    query.is_bi_project === undefined ? undefined : kindIs('bi', query.is_bi_project),
  ];
}

const kindIs = (kind: 'ai' | 'bi', wanted: boolean) => (wanted ? eq(projects.kind, kind) : ne(projects.kind, kind));

const authoredBy = (userId: string) =>
  or(
    and(eq(projects.ownerId, userId), projects.isOwnerAuthor),
    inArray(
      projects.id,
      sql`(select ${projectGrants.projectId} from ${projectGrants} where ${eq(projectGrants.userId, userId)} and ${projectGrants.isAuthor})`,
    ),
  );

/** By name, or through a team. */
const reaching = (userId: string) =>
  inArray(
    projects.id,
    sql`(select ${projectGrants.projectId} from ${projectGrants} where ${eq(projectGrants.userId, userId)}
      union all select ${projectGrants.projectId} from ${projectGrants}
      where ${projectGrants.teamId} in (select ${teamMembers.teamId} from ${teamMembers} where ${eq(teamMembers.userId, userId)}))`,
  );

export function order(query: ProjectListQuery): SQL[] {
  const columns: Record<ProjectListQuery['sort_by'], SQL> = {
    updated_at: sql`${projects.updatedAt}`,
    created_at: sql`${projects.createdAt}`,
    name: sql`lower(${projects.name})`,
    clone_count: sql`${projects.cloneCount}`,
    shares: sql`${projects.shareCount}`,
    views: sql`${projects.viewCount}`,
    last_view: sql`${projectViews.viewedAt}`,
  };
  const column = columns[query.sort_by];
  const direction = sql.raw(query.sort_direction);
  if (query.sort_by === 'last_view') return [sql`${column} ${direction} nulls last`, asc(projects.id)];
  // Nulls stand where the index has them, though there are none: otherwise it could not be read in this order.
  const isAsIndexed = query.sort_direction === (query.sort_by === 'name' ? 'asc' : 'desc');
  return [sql`${column} ${direction} nulls ${isAsIndexed ? sql`last` : sql`first`}`, asc(projects.id)];
}
