import type { RelatedProject } from '@atoll/contract';
import { inArray, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { accessOf, allGranted, callerGrants, requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projects } from '../../projects/table.ts';

const mostDepth = 50;
const mostClones = 500;

interface Relative {
  id: string;
  parent_id: string | null;
  depth: number;
}

/** Those of the projects that the caller sees; what is in the bin is seen by no one here. */
async function seen(ctx: Context, relatives: Relative[]): Promise<Map<string, RelatedProject>> {
  if (relatives.length === 0) return new Map();
  const rows = await ctx.db
    .select({ project: projects, grants: callerGrants(ctx.actor) })
    .from(projects)
    .where(
      inArray(
        projects.id,
        relatives.map(({ id }) => id),
      ),
    );
  const visible = rows.filter(
    ({ project, grants }) =>
      !project.deletedAt && accessOf(ctx.actor, project, allGranted(grants)).abilities.includes('view'),
  );
  const owners = await loadPeopleOf(ctx.db, visible, ({ project }) => project.ownerId);
  return new Map(
    visible.map(({ project: { id, name, ownerId, createdAt } }) => [
      id,
      { id, name, owner: owners.get(ownerId) ?? null, created_at: createdAt.toISOString() },
    ]),
  );
}

const asked = async (ctx: Context, query: ReturnType<typeof sql>): Promise<Relative[]> =>
  rowsOf<Relative>(await ctx.db.execute(query));

export async function provenanceOf(ctx: Context, id: string) {
  const { project } = await requireProject(ctx, ctx.db, id, 'project.view');
  const chain = await asked(
    ctx,
    sql`with recursive chain as (
      select id, parent_id, 1 as depth from ${projects} where id = ${project.parentId}
      union all select parent.id, parent.parent_id, chain.depth + 1 from ${projects} parent
        join chain on parent.id = chain.parent_id where chain.depth < ${mostDepth})
    select id, parent_id, depth from chain order by depth`,
  );
  const visible = await seen(ctx, chain);
  return chain.map((each) => ({ depth: each.depth, project: visible.get(each.id) ?? null }));
}

export async function inheritanceOf(ctx: Context, id: string) {
  await requireProject(ctx, ctx.db, id, 'project.view');
  const found = await asked(
    ctx,
    sql`with recursive clones as (
      select id, parent_id, created_at, 1 as depth from ${projects} where parent_id = ${id} and deleted_at is null
      union all select child.id, child.parent_id, child.created_at, clones.depth + 1 from ${projects} child
        join clones on child.parent_id = clones.id where clones.depth < ${mostDepth} and child.deleted_at is null)
    select id, parent_id, depth from clones order by depth, created_at desc, id limit ${mostClones + 1}`,
  );
  const clones = found.slice(0, mostClones);
  const visible = await seen(ctx, clones);
  const entries = clones.flatMap(({ id: cloneId, parent_id, depth }) => {
    const project = visible.get(cloneId);
    const parent = parent_id === id || visible.has(parent_id ?? '') ? parent_id : null;
    return project ? [{ depth, parent_id: parent, project }] : [];
  });
  return { entries, hidden_count: clones.length - entries.length, is_complete: found.length <= mostClones };
}
