import type { ProjectAbility } from '@atoll/contract';
import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { accessOf, allGranted, callerGrants, type ReachingGrant } from '../../projects/service/access.ts';
import { askersOf, whoMay } from '../../projects/service/who-may.ts';
import { type ProjectRow, projects } from '../../projects/table.ts';
import { type PublicationRow, publicationSlugs, publications } from '../table.ts';

/** A publication together with what the caller may do with it and its project. */
export interface ReadablePublication {
  publication: PublicationRow;
  project: ProjectRow;
  abilities: ProjectAbility[];
  isReadable: boolean;
}

type Reader = Database | Transaction;

/** By its id. */
export const requirePublication = (ctx: Context, db: Reader, id: string, permission: PublicationPermission) =>
  require(ctx, db, eq(publications.id, id), permission);

/** By its present slug, or one it had before. */
export const requireBySlug = (ctx: Context, db: Reader, slug: string, permission: PublicationPermission) =>
  require(ctx, db, or(
    eq(publications.slug, slug),
    sql`${publications.id} = (select ${publicationSlugs.publicationId} from ${publicationSlugs} where ${publicationSlugs.slug} = ${slug})`,
  ), permission);

type PublicationPermission = 'publication.view' | 'publication.clap' | 'publication.execute' | 'publication.publish';

async function require(
  ctx: Context,
  db: Reader,
  where: SQL | undefined,
  permission: PublicationPermission,
): Promise<ReadablePublication> {
  const rows = await db
    .select({ publication: publications, project: projects, grants: callerGrants(ctx.actor) })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(where);
  const [row] = rows;
  // What is in the bin is read by nobody, its owner included: restoring the project brings it back.
  if (!row || row.project.deletedAt) throw notFound('This publication');
  const readable = readableOf(ctx, row);
  if (!readable.isReadable) throw notFound('This publication');
  if (permission === 'publication.execute' && !mayRun(readable)) {
    const message = row.publication.isExecutionEnabled
      ? 'You need permission to run the publications of this project.'
      : 'The author does not let readers run this publication.';
    throw denied('no_permissions', message);
  }
  ctx.authorize(permission, readable);
  return readable;
}

/** With what the caller may do with it, by the grants that were loaded beside it. */
export function readableOf(
  ctx: Context,
  { publication, project, grants }: Pick<ReadablePublication, 'publication' | 'project'> & { grants: ReachingGrant[] },
): ReadablePublication {
  const { abilities } = accessOf(ctx.actor, project, allGranted(grants));
  return { publication, project, abilities, isReadable: isReadable(publication, abilities) };
}

/** Readers may run what its author lets them run; what is only for collaborators takes their permission, too. */
export const mayRun = ({
  publication: { isExecutionEnabled, accessLevel },
  abilities,
}: Pick<ReadablePublication, 'publication' | 'abilities'>): boolean =>
  isExecutionEnabled &&
  (accessLevel === 'public' || accessLevel === 'link_shared' || abilities.includes('execute_publications'));

/** Which of these people may read it: the same rule as when they ask themselves. */
export async function readersAmong(db: Reader, id: string, userIds: string[]): Promise<string[]> {
  const [found] = await db
    .select({ publication: publications, deletedAt: projects.deletedAt })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(eq(publications.id, id));
  if (!found || found.deletedAt) return [];
  const { publication } = found;
  if (isReadable(publication, [])) return userIds;
  const askers = await askersOf(db, userIds);
  const rights = await Promise.all(
    (['publish', 'edit', 'view_publications'] as const).map(async (ability) =>
      (await whoMay(db, askers, [publication.projectId], ability)).map(({ userId }) => ({ userId, ability })),
    ),
  );
  const abilities = Map.groupBy(rights.flat(), ({ userId }) => userId);
  return userIds.filter((userId) =>
    isReadable(
      publication,
      (abilities.get(userId) ?? []).map(({ ability }) => ability),
    ),
  );
}

export function isReadable({ accessLevel, versionId }: PublicationRow, abilities: readonly ProjectAbility[]): boolean {
  if (abilities.includes('publish') || abilities.includes('edit')) return true;
  if (!versionId) return false;
  if (accessLevel === 'public' || accessLevel === 'link_shared') return true;
  return accessLevel === 'collaborator_shared' && abilities.includes('view_publications');
}
