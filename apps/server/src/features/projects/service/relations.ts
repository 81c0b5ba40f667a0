import { linkGrants, type PersonSummary, type Tag } from '@atoll/contract';
import { and, asc, count, eq, inArray, isNotNull } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { publications, readerCopies } from '../../publications/table.ts';
import { teamMembers } from '../../teams/table.ts';
import { assets } from '../../uploads/table.ts';
import { userFollows, users } from '../../users/table.ts';
import { personView } from '../../users/view.ts';
import {
  type ProjectRow,
  projectGrants,
  projectLinks,
  projectLinkViewers,
  projectOffers,
  projectShowcase,
  projectTags,
  tags,
} from '../table.ts';
import { accessOf, allGranted, type ProjectAccess, type ReachingGrant } from './access.ts';
import { whoMay } from './who-may.ts';

/** Everything the entity shows beside the row itself. */
export interface ProjectWithRelations extends ProjectAccess {
  owner: PersonSummary;
  creator: PersonSummary | null;
  parent: { id: string; name: string } | null;
  tags: Tag[];
  showcase: { id: string; assetId: string; mimeType: string }[];
  authors: PersonSummary[];
  isLinkShared: boolean;
  isGranted: boolean;
  /** The caller's own. */
  grantId: string | null;
  collaborators: PersonSummary[];
  /** How many people follow its owner. */
  followers: number;
  /** What everyone may read of it; null while nothing is public. */
  published: Published | null;
}

interface Published {
  /** When the first of it became public. */
  at: Date;
  /** Of the newest. */
  slug: string;
  /** The caller's own copy of the newest, in which they run it. */
  copyId: string | null;
}

type Ids = readonly (string | null)[];

/** People by id, as the interface shows them. */
export async function loadPeople(db: Context['db'], ids: Ids): Promise<Map<string, PersonSummary>> {
  const known = new Set(ids.filter((id) => id !== null));
  if (known.size === 0) return new Map();
  const { id, userName, firstName, lastName, avatarAssetId } = users;
  const rows = await db
    .select({ id, userName, firstName, lastName, avatarAssetId })
    .from(users)
    .where(inArray(users.id, [...known]));
  return new Map(rows.map((row) => [row.id, personView(row)]));
}

/** The people that rows name. */
export const loadPeopleOf = <Row>(db: Context['db'], rows: readonly Row[], idsOf: (row: Row) => string | null | Ids) =>
  loadPeople(db, rows.flatMap(idsOf));

export const loadPerson = async (db: Context['db'], id: string | null): Promise<PersonSummary | null> =>
  (await loadPeople(db, [id])).get(id ?? '') ?? null;

/** A page of projects in a few queries, however many they are, and however many teams the caller is in. */
export async function withRelations(ctx: Context, rows: ProjectRow[]): Promise<ProjectWithRelations[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [grants, tagRows, showcase, followers, links, offers, published, parents] = await Promise.all([
    loadGrants(ctx, ids),
    loadTags(ctx, ids),
    loadShowcase(ctx, ids),
    loadFollowers(ctx, [...new Set(rows.map((row) => row.ownerId))]),
    loadLinks(ctx, ids),
    loadOffers(ctx, ids),
    loadPublished(ctx, ids),
    // A parent is named only to those who may see it.
    whoMay(
      ctx.db,
      [ctx.actor],
      rows.flatMap((row) => row.parentId ?? []),
      'view',
    ),
  ]);
  const people = await loadPeople(ctx.db, [
    ...rows.flatMap((row) => [row.ownerId, row.creatorId]),
    ...grants.map((grant) => grant.userId),
  ]);
  return rows.map((project) => {
    const given = grants.filter((grant) => grant.projectId === project.id);
    const own = given.filter((grant) => grant.userId !== null);
    const mine = own.find((grant) => grant.userId === ctx.actor.userId);
    const link = links.find((each) => each.projectId === project.id);
    const reaching: ReachingGrant[] = given.filter((grant) => grant.role !== null || grant === mine);
    const isOffered = offers.some((offer) => offer.projectId === project.id);
    if (link?.viewerId || isOffered) reaching.push({ permissions: [...linkGrants], role: null });
    const peopleOf = (granted: typeof own) => granted.flatMap((grant) => people.get(grant.userId ?? '') ?? []);
    return {
      ...accessOf(ctx.actor, project, allGranted(reaching)),
      grantId: mine?.id ?? null,
      isLinkShared: link !== undefined,
      isGranted: given.length > 0,
      owner: people.get(project.ownerId) ?? unknownPerson(project.ownerId),
      creator: people.get(project.creatorId ?? '') ?? null,
      parent: parents.find((parent) => parent.project.id === project.parentId)?.project ?? null,
      tags: tagRows.filter((row) => row.projectId === project.id).map(({ id, name }) => ({ id, name })),
      showcase: showcase.filter((media) => media.projectId === project.id),
      authors: [
        ...(project.isOwnerAuthor ? [people.get(project.ownerId) ?? unknownPerson(project.ownerId)] : []),
        ...peopleOf(own.filter((grant) => grant.isAuthor)),
      ],
      collaborators: peopleOf(own),
      published: published.get(project.id) ?? null,
      followers: followers.find((each) => each.userId === project.ownerId)?.total ?? 0,
    };
  });
}

/** With the role the caller has in a team that something was granted to. */
const loadGrants = (ctx: Context, projectIds: string[]) => {
  const { id, projectId, userId, permissions, isAuthor } = projectGrants;
  return ctx.db
    .select({ id, projectId, userId, permissions, isAuthor, role: teamMembers.role })
    .from(projectGrants)
    .leftJoin(
      teamMembers,
      and(eq(teamMembers.teamId, projectGrants.teamId), eq(teamMembers.userId, ctx.actor.userId ?? nobody)),
    )
    .where(inArray(projectId, projectIds));
};

const loadTags = (ctx: Context, projectIds: string[]) =>
  ctx.db
    .select({ projectId: projectTags.projectId, id: tags.id, name: tags.name })
    .from(projectTags)
    .innerJoin(tags, eq(tags.id, projectTags.tagId))
    .where(inArray(projectTags.projectId, projectIds))
    .orderBy(tags.name);

const loadShowcase = (ctx: Context, projectIds: string[]) =>
  ctx.db
    .select({
      id: projectShowcase.id,
      projectId: projectShowcase.projectId,
      assetId: projectShowcase.assetId,
      mimeType: assets.mimeType,
    })
    .from(projectShowcase)
    .innerJoin(assets, eq(assets.id, projectShowcase.assetId))
    .where(inArray(projectShowcase.projectId, projectIds))
    .orderBy(asc(projectShowcase.position), asc(projectShowcase.id));

const loadFollowers = (ctx: Context, userIds: string[]) =>
  ctx.db
    .select({ userId: userFollows.followeeId, total: count() })
    .from(userFollows)
    .where(inArray(userFollows.followeeId, userIds))
    .groupBy(userFollows.followeeId);

/** With whether the caller came by it. */
const loadLinks = (ctx: Context, projectIds: string[]) =>
  ctx.db
    .select({ projectId: projectLinks.projectId, viewerId: projectLinkViewers.userId })
    .from(projectLinks)
    .leftJoin(
      projectLinkViewers,
      and(
        eq(projectLinkViewers.projectId, projectLinks.projectId),
        eq(projectLinkViewers.userId, ctx.actor.userId ?? nobody),
      ),
    )
    .where(inArray(projectLinks.projectId, projectIds));

/** To the caller. */
const loadOffers = (ctx: Context, projectIds: string[]) =>
  ctx.db
    .select({ projectId: projectOffers.projectId })
    .from(projectOffers)
    .where(and(inArray(projectOffers.projectId, projectIds), eq(projectOffers.toId, ctx.actor.userId ?? nobody)));

async function loadPublished(ctx: Context, projectIds: string[]): Promise<Map<string, Published>> {
  const rows = await ctx.db
    .select({
      projectId: publications.projectId,
      at: publications.publishedAt,
      slug: publications.slug,
      copyId: readerCopies.projectId,
    })
    .from(publications)
    .leftJoin(
      readerCopies,
      and(eq(readerCopies.sourceId, publications.id), eq(readerCopies.userId, ctx.actor.userId ?? nobody)),
    )
    .where(
      and(
        inArray(publications.projectId, projectIds),
        eq(publications.accessLevel, 'public'),
        isNotNull(publications.versionId),
      ),
    )
    .orderBy(asc(publications.publishedAt), asc(readerCopies.usedAt));
  const found = new Map<string, Published>();
  // From the oldest on: the first gives the date, the last the address.
  for (const { projectId, at, ...newest } of rows)
    if (at) found.set(projectId, { at: found.get(projectId)?.at ?? at, ...newest });
  return found;
}

const unknownPerson = (id: string): PersonSummary => ({
  id,
  user_name: '',
  first_name: '',
  last_name: '',
  avatar: null,
});
