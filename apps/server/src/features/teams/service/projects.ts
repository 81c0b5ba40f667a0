import type { Paging } from '@atoll/contract';
import { and, count, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { containing } from '../../../platform/like.ts';
import { type ProjectWithRelations, withRelations } from '../../projects/service/relations.ts';
import { projectGrants, projects } from '../../projects/table.ts';
import { requireTeam } from './access.ts';

/** All of them for members; for others what everybody may see. */
export async function listTeamProjects(
  ctx: Context,
  id: string,
  { page, page_size, search }: Paging & { search?: string },
): Promise<{ entries: ProjectWithRelations[]; total: number }> {
  const { role } = await requireTeam(ctx, ctx.db, id, 'team.view');
  const pattern = containing(search?.toLowerCase() ?? '');
  const where = and(
    eq(projectGrants.teamId, id),
    isNull(projects.deletedAt),
    role || ctx.actor.isAdmin ? undefined : ne(projects.visibility, 'private'),
    search ? sql`lower(${projects.name}) like ${pattern}` : undefined,
  );
  const rows = await ctx.db
    .select({ project: projects })
    .from(projectGrants)
    .innerJoin(projects, eq(projects.id, projectGrants.projectId))
    .where(where)
    .orderBy(desc(projects.updatedAt), desc(projects.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const [found] = await ctx.db
    .select({ total: count() })
    .from(projectGrants)
    .innerJoin(projects, eq(projects.id, projectGrants.projectId))
    .where(where);
  const entries = await withRelations(
    ctx,
    rows.map((row) => row.project),
  );
  return { entries, total: found?.total ?? 0 };
}
