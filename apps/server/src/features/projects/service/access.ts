import { abilitiesOn, type ProjectAbility, type ProjectPermission } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import type { Actor } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { type ProjectRow, projectGrants, projects } from '../table.ts';

/** A project together with everything the caller may do with it. */
export interface ProjectAccess {
  project: ProjectRow;
  abilities: ProjectAbility[];
  /** Whether the caller is here by a grant of another owner: the spec's "shared". */
  isShared: boolean;
}

export type ProjectPermissionName =
  `project.${'view' | 'view_source' | 'view_history' | 'edit' | 'execute' | 'clone' | 'export' | 'delete' | 'transfer' | 'share'}`;

export function accessOf(actor: Actor, project: ProjectRow, grants: ProjectPermission[]): ProjectAccess {
  const isOwner = project.ownerId === actor.userId;
  return {
    project,
    isShared: !isOwner && grants.length > 0,
    abilities: abilitiesOn({
      visibility: project.visibility,
      isOwner,
      isAdmin: actor.isAdmin,
      isDeleted: project.deletedAt !== null,
      grants,
    }),
  };
}

/** Loads a project and refuses unless the caller may do this with it; who cannot see it learns nothing. */
export async function requireProject(
  ctx: Context,
  db: Database | Transaction,
  id: string,
  permission: ProjectPermissionName,
  options: { inBin?: boolean } = {},
): Promise<ProjectAccess> {
  const rows = await db
    .select({ project: projects, grants: projectGrants.permissions })
    .from(projects)
    .leftJoin(
      projectGrants,
      and(eq(projectGrants.projectId, projects.id), eq(projectGrants.userId, ctx.actor.userId ?? nobody)),
    )
    .where(eq(projects.id, id));
  const [first] = rows;
  if (!first) throw notFound('This project');
  const access = accessOf(ctx.actor, first.project, first.grants ?? []);
  if (!access.abilities.includes('view')) throw notFound('This project');
  // What is in the bin can be looked at and restored, nothing else.
  const isBinned = first.project.deletedAt !== null;
  if (isBinned && !options.inBin && permission !== 'project.view') throw notFound('This project');
  const ability = permission.slice('project.'.length) as ProjectAbility;
  if (!access.abilities.includes(ability)) throw denied('no_permissions', 'You may not do this with this project.');
  ctx.authorize(permission, access);
  return access;
}

/** Writes to one project happen one after the other; the row is the lock. */
export async function lockProject(tx: Transaction, id: string): Promise<void> {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for('update');
}

const nobody = '00000000-0000-0000-0000-000000000000';
