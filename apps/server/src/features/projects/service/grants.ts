import type { ProjectDetail } from '@atoll/contract';
import { asc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projectGrants } from '../table.ts';
import type { ProjectAccess } from './access.ts';
import { loadPeopleOf } from './relations.ts';

const most = 100;

/** With whom a project is shared, for those who may change that. */
export async function grantsOf(
  ctx: Context,
  { project, abilities }: ProjectAccess,
): Promise<Pick<ProjectDetail, 'user_permissions' | 'team_permissions'>> {
  if (!abilities.includes('share')) return { user_permissions: [], team_permissions: [] };
  const rows = await ctx.db
    .select()
    .from(projectGrants)
    .where(eq(projectGrants.projectId, project.id))
    .orderBy(asc(projectGrants.createdAt), asc(projectGrants.id))
    .limit(2 * most);
  const people = await loadPeopleOf(ctx.db, rows, ({ userId }) => userId);
  const users = rows.flatMap(({ id, userId, permissions, isAuthor }) => {
    const user = people.get(userId ?? '');
    return user ? [{ id, user, permissions, is_author: isAuthor }] : [];
  });
  const teams = rows.flatMap(({ id, teamId, permissions }) => (teamId ? [{ id, team_id: teamId, permissions }] : []));
  return { user_permissions: users.slice(0, most), team_permissions: teams.slice(0, most) };
}
