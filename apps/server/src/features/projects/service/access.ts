import {
  abilitiesOn,
  grantedThrough,
  linkGrants,
  type ProjectAbility,
  type ProjectPermission,
  type TeamRole,
} from '@atoll/contract';
import { eq, type SQL, sql } from 'drizzle-orm';
import { type Actor, nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { preparedRows } from '../../../platform/db/prepared-statement.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { teamMembers } from '../../teams/table.ts';
import { type ProjectRow, projectGrants, projectLinkViewers, projectOffers, projects } from '../table.ts';

/** A project together with everything the caller may do with it. */
export interface ProjectAccess {
  project: ProjectRow;
  abilities: ProjectAbility[];
  /** Whether the caller is here by a grant of another owner: the spec's "shared". */
  isShared: boolean;
}

export type ProjectPermissionName =
  `project.${'view' | 'view_source' | 'view_history' | 'edit' | 'execute' | 'clone' | 'export' | 'export_data' | 'embed' | 'view_analytics' | 'delete' | 'delete_permanently' | 'transfer' | 'share'}`;

export function accessOf(actor: Actor, project: ProjectRow, grants: ProjectPermission[]): ProjectAccess {
  const isOwner = project.ownerId === actor.userId;
  const abilities = abilitiesOn({
    visibility: project.visibility,
    hidesSource: project.hidesSource,
    isOwner,
    isAdmin: actor.isAdmin,
    isDeleted: project.deletedAt !== null,
    grants,
  });
  // Code runs with the secrets of the person in whose name it runs, and that of a schedule without their looking at it.
  const isMasked = actor.impersonatorId !== null;
  return {
    project,
    isShared: !isOwner && grants.length > 0,
    abilities: isMasked
      ? abilities.filter((ability) => ability !== 'edit' && !ability.startsWith('execute'))
      : abilities,
  };
}

/** Of people who came by the project's link, or are offered the project. */
export const linkPermissions = sql.raw(`'${JSON.stringify(linkGrants)}'::jsonb`);

/** A grant of one project that reaches the caller: by name, through a team in which they have this role, by its link, or by an offer. */
export interface ReachingGrant {
  permissions: ProjectPermission[];
  role: TeamRole | null;
}

/** To select beside a project; among selected fields a column would stand without the name of its table. */
export const callerGrants = ({ userId }: Pick<Actor, 'userId'>): SQL<ReachingGrant[]> => grantsOf(userId ?? nobody);

const grantsOf = (me: unknown): SQL<ReachingGrant[]> =>
  sql`(select coalesce(jsonb_agg(reaching), '[]'::jsonb) from (
      select granted.permissions, member.role from ${projectGrants} granted
      left join ${teamMembers} member on member.team_id = granted.team_id and member.user_id = ${me}
      where granted.project_id = projects.id and (granted.user_id = ${me} or member.user_id is not null)
      union all select ${linkPermissions}, null from ${projectLinkViewers} viewer
      where viewer.project_id = projects.id and viewer.user_id = ${me}
      union all select ${linkPermissions}, null from ${projectOffers} offer
      where offer.project_id = projects.id and offer.to_id = ${me}) reaching)`;

const findProject = preparedRows<typeof projects, { grants: ReachingGrant[] }>(projects, {
  where: sql`id = ${sql.placeholder('id')}`,
  more: { grants: grantsOf(sql.placeholder('me')) },
});

export const allGranted = (grants: ReachingGrant[]): ProjectPermission[] =>
  grants.flatMap(({ permissions, role }) => (role ? grantedThrough(role, permissions) : permissions));

/** Loads a project and refuses unless the caller may do this with it; who cannot see it learns nothing. */
export async function requireProject(
  ctx: Context,
  db: Database | Transaction,
  id: string,
  permission: ProjectPermissionName,
  options: { inBin?: boolean } = {},
): Promise<ProjectAccess> {
  const [first] = await findProject(db, { id, me: ctx.actor.userId ?? nobody });
  if (!first) throw notFound('This project');
  const { grants, ...project } = first;
  const access = accessOf(ctx.actor, project, allGranted(grants));
  if (!access.abilities.includes('view')) throw notFound('This project');
  // What is in the bin can be looked at and restored, nothing else.
  const isBinned = project.deletedAt !== null;
  if (isBinned && !options.inBin && permission !== 'project.view') throw notFound('This project');
  const ability = abilityOf(permission);
  if (!access.abilities.includes(ability))
    throw denied('no_permissions', 'You do not have permission to do this with this project.');
  ctx.authorize(permission, access);
  return access;
}

const abilityOf = (permission: ProjectPermissionName): ProjectAbility =>
  permission === 'project.delete_permanently' ? 'delete' : (permission.slice('project.'.length) as ProjectAbility);

/**
 * Writes to one project happen one after the other; the row is the lock. It leaves room for rows that refer to the project:
 * `for update` would make their inserts wait, and two transactions could wait for each other.
 */
export async function lockProject(tx: Transaction, id: string): Promise<void> {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for('no key update');
}

export async function requireLockedProject(
  ctx: Context,
  tx: Transaction,
  id: string,
  permission: ProjectPermissionName,
  options: { inBin?: boolean } = {},
): Promise<ProjectAccess> {
  await lockProject(tx, id);
  return requireProject(ctx, tx, id, permission, options);
}
