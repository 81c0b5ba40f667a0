import type { PersonSummary, Tag, TeamRole } from '@atoll/contract';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { teamMembers } from '../../teams/table.ts';
import { assets } from '../../uploads/table.ts';
import { users } from '../../users/table.ts';
import { personView } from '../../users/view.ts';
import { type ProjectRow, projectGrants, projectShowcase, projects, projectTags, tags } from '../table.ts';
import { accessOf, allGranted, callerGrants, type ProjectAccess, type ReachingGrant } from './access.ts';

/** Everything the entity shows beside the row itself. */
export interface ProjectWithRelations extends ProjectAccess {
  owner: PersonSummary;
  creator: PersonSummary | null;
  parent: { id: string; name: string } | null;
  tags: Tag[];
  showcase: { id: string; assetId: string; mimeType: string }[];
  authors: PersonSummary[];
  /** The caller's own. */
  grantId: string | null;
  collaborators: PersonSummary[];
}

/** People by id, as the interface shows them. */
export async function loadPeople(db: Context['db'], ids: string[]): Promise<Map<string, PersonSummary>> {
  if (ids.length === 0) return new Map();
  const { id, userName, firstName, lastName, avatarAssetId } = users;
  const rows = await db
    .select({ id, userName, firstName, lastName, avatarAssetId })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, personView(row)]));
}

/** A page of projects in a few queries, however many they are, and however many teams the caller is in. */
export async function withRelations(ctx: Context, rows: ProjectRow[]): Promise<ProjectWithRelations[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const grants = await ctx.db.select().from(projectGrants).where(inArray(projectGrants.projectId, ids));
  const tagRows = await ctx.db
    .select({ projectId: projectTags.projectId, id: tags.id, name: tags.name })
    .from(projectTags)
    .innerJoin(tags, eq(tags.id, projectTags.tagId))
    .where(inArray(projectTags.projectId, ids))
    .orderBy(tags.name);
  const showcase = await ctx.db
    .select({
      id: projectShowcase.id,
      projectId: projectShowcase.projectId,
      assetId: projectShowcase.assetId,
      mimeType: assets.mimeType,
    })
    .from(projectShowcase)
    .innerJoin(assets, eq(assets.id, projectShowcase.assetId))
    .where(inArray(projectShowcase.projectId, ids))
    .orderBy(asc(projectShowcase.position), asc(projectShowcase.id));
  const parents = await loadParents(ctx, rows);
  const people = await loadPeople(
    ctx.db,
    [...rows.flatMap((row) => [row.ownerId, row.creatorId]), ...grants.map((grant) => grant.userId)].filter(
      (id) => id !== null,
    ),
  );
  const roles = await rolesIn(
    ctx,
    grants.flatMap((grant) => grant.teamId ?? []),
  );
  return rows.map((project) => {
    const reaching: ReachingGrant[] = grants.flatMap(({ projectId, userId, teamId, permissions }) => {
      const role = teamId ? (roles.get(teamId) ?? null) : null;
      const isMine = projectId === project.id && (role !== null || (userId !== null && userId === ctx.actor.userId));
      return isMine ? [{ permissions, role }] : [];
    });
    const own = grants.filter((grant) => grant.projectId === project.id && grant.userId !== null);
    const mine = own.find((grant) => grant.userId === ctx.actor.userId);
    const peopleOf = (granted: typeof own) => granted.flatMap((grant) => people.get(grant.userId ?? '') ?? []);
    return {
      ...accessOf(ctx.actor, project, allGranted(reaching)),
      grantId: mine?.id ?? null,
      owner: people.get(project.ownerId) ?? unknownPerson(project.ownerId),
      creator: people.get(project.creatorId ?? '') ?? null,
      parent: parents.get(project.parentId ?? '') ?? null,
      tags: tagRows.filter((row) => row.projectId === project.id).map(({ id, name }) => ({ id, name })),
      showcase: showcase.filter((media) => media.projectId === project.id),
      authors: peopleOf(own.filter((grant) => grant.isAuthor)),
      collaborators: peopleOf(own),
    };
  });
}

/** In those of these teams that the caller is in. */
async function rolesIn(ctx: Context, teamIds: string[]): Promise<Map<string, TeamRole>> {
  if (teamIds.length === 0 || !ctx.actor.userId) return new Map();
  const rows = await ctx.db
    .select({ teamId: teamMembers.teamId, role: teamMembers.role })
    .from(teamMembers)
    .where(and(eq(teamMembers.userId, ctx.actor.userId), inArray(teamMembers.teamId, [...new Set(teamIds)])));
  return new Map(rows.map(({ teamId, role }) => [teamId, role]));
}

/** A parent is named only to those who may see it. */
async function loadParents(ctx: Context, rows: ProjectRow[]): Promise<Map<string, { id: string; name: string }>> {
  const ids = rows.flatMap((row) => row.parentId ?? []);
  if (ids.length === 0) return new Map();
  const found = await ctx.db
    .select({ project: projects, grants: callerGrants(ctx.actor) })
    .from(projects)
    .where(inArray(projects.id, ids));
  return new Map(
    found
      .filter(({ project, grants }) => accessOf(ctx.actor, project, allGranted(grants)).abilities.includes('view'))
      .map(({ project }) => [project.id, { id: project.id, name: project.name }]),
  );
}

const unknownPerson = (id: string): PersonSummary => ({
  id,
  user_name: '',
  first_name: '',
  last_name: '',
  avatar: null,
});
