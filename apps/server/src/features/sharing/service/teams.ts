import type { Paging, ProjectPermission } from '@atoll/contract';
import { and, asc, count, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type ProjectAccess, requireProject } from '../../projects/service/access.ts';
import { projectGrants } from '../../projects/table.ts';
import { requireTeam } from '../../teams/service/access.ts';
import { type TeamRow, teams } from '../../teams/table.ts';
import { grantable, sharing } from './people.ts';

type GrantRow = typeof projectGrants.$inferSelect;
export type TeamGrant = GrantRow & { team: TeamRow };

export async function listTeamGrants(
  ctx: Context,
  projectId: string,
  { page, page_size }: Paging,
): Promise<{ grants: TeamGrant[]; total: number }> {
  await requireProject(ctx, ctx.db, projectId, 'project.share');
  const rows = await ctx.db
    .select({ grant: projectGrants, team: teams })
    .from(projectGrants)
    .innerJoin(teams, eq(teams.id, projectGrants.teamId))
    .where(eq(projectGrants.projectId, projectId))
    .orderBy(asc(projectGrants.createdAt), asc(projectGrants.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const [found] = await ctx.db
    .select({ total: count() })
    .from(projectGrants)
    .innerJoin(teams, eq(teams.id, projectGrants.teamId))
    .where(eq(projectGrants.projectId, projectId));
  return { grants: rows.map(({ grant, team }) => ({ ...grant, team })), total: found?.total ?? 0 };
}

export const shareWithTeam = (
  ctx: Context,
  projectId: string,
  input: { team_id: string; permissions: ProjectPermission[] },
): Promise<TeamGrant> =>
  sharing(ctx, projectId, async (write, access) => {
    const team = await teamToShareTo(ctx, write.tx, input.team_id);
    const [known] = await write.tx
      .select()
      .from(projectGrants)
      .where(and(eq(projectGrants.projectId, projectId), eq(projectGrants.teamId, team.id)));
    if (known) return setPermissions(write, access, { ...known, team }, input.permissions);
    const permissions = grantable(access, input.permissions, []);
    const [row] = await write.tx
      .insert(projectGrants)
      .values({ projectId, teamId: team.id, permissions, createdAt: ctx.now() })
      .returning();
    if (!row) throw new Error('The grant was not stored');
    const by_user_id = ctx.actor.userId;
    await write.emit('project.shared_with_team', { project_id: projectId, team_id: team.id, by_user_id });
    return { ...row, team };
  });

/** To one's own teams only, and not as their guest: nobody fills the lists of strangers. */
async function teamToShareTo(ctx: Context, tx: Transaction, id: string): Promise<TeamRow> {
  const access = await requireTeam(ctx, tx, id, 'team.view').catch(() => null);
  if (!access?.abilities.includes('share_to'))
    throw invalidField('team_id', 'You cannot share projects with this team');
  return access.team;
}

async function findGrant(tx: Transaction, projectId: string, id: string): Promise<TeamGrant> {
  const [found] = await tx
    .select({ grant: projectGrants, team: teams })
    .from(projectGrants)
    .innerJoin(teams, eq(teams.id, projectGrants.teamId))
    .where(and(eq(projectGrants.id, id), eq(projectGrants.projectId, projectId)));
  if (!found) throw notFound('This permission');
  return { ...found.grant, team: found.team };
}

export const changeTeamGrant = (
  ctx: Context,
  projectId: string,
  id: string,
  permissions: ProjectPermission[],
): Promise<TeamGrant> =>
  sharing(ctx, projectId, async (write, access) =>
    setPermissions(write, access, await findGrant(write.tx, projectId, id), permissions),
  );

async function setPermissions(
  { tx, emit }: Write,
  access: ProjectAccess,
  grant: TeamGrant,
  wanted: ProjectPermission[],
): Promise<TeamGrant> {
  const permissions = grantable(access, wanted, grant.permissions);
  await tx.update(projectGrants).set({ permissions }).where(eq(projectGrants.id, grant.id));
  await emit('project.team_grant_changed', { project_id: grant.projectId, team_id: grant.team.id });
  return { ...grant, permissions };
}

export const removeTeamGrant = (ctx: Context, projectId: string, id: string): Promise<void> =>
  sharing(ctx, projectId, async ({ tx, emit }) => {
    const grant = await findGrant(tx, projectId, id);
    await tx.delete(projectGrants).where(eq(projectGrants.id, id));
    await emit('project.unshared_with_team', { project_id: projectId, team_id: grant.team.id });
  });
