import type { EndpointFields, EndpointInput, TeamDiscovery, TeamListQuery } from '@atoll/contract';
import { and, asc, eq, exists, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { isUniqueViolation } from '../../../platform/db/database.ts';
import { denied, invalidField } from '../../../platform/errors.ts';
import { containing } from '../../../platform/like.ts';
import { projectGrants } from '../../projects/table.ts';
import { preparePicture, publishPicture, retirePicture } from '../../uploads/service/pictures.ts';
import { requireSelf } from '../../users/service.ts';
import { type TeamRow, teamMembers, teams } from '../table.ts';
import { callerOf, requireLockedTeam, requireTeam } from './access.ts';
import { type TeamDetails, type TeamWithRelations, withDetails, withRelations } from './relations.ts';

export async function listTeams(
  ctx: Context,
  query: TeamListQuery,
): Promise<{ entries: TeamWithRelations[]; total: number }> {
  const isMine = membershipOf(ctx, callerOf(ctx));
  const isFound = ne(teams.discovery, 'private');
  const visible = { my: isMine, discoverable: isFound, all: or(isMine, isFound) }[query.mode];
  const where = and(
    visible,
    query.member_id ? membershipOf(ctx, query.member_id) : undefined,
    query.can_share_to
      ? membershipOf(ctx, callerOf(ctx), inArray(teamMembers.role, ['owner', 'admin', 'member']))
      : undefined,
    query.search ? sql`lower(${teams.name}) like ${containing(query.search.toLowerCase())}` : undefined,
  );
  const columns: Record<TeamListQuery['sort_by'], SQL> = {
    created_at: sql`${teams.createdAt}`,
    updated_at: sql`${teams.updatedAt}`,
    name: sql`lower(${teams.name})`,
    users_count: sql`${teams.usersCount}`,
    projects_count: sql`${teams.projectsCount}`,
  };
  const page = ctx.db
    .select()
    .from(teams)
    .where(where)
    .orderBy(sql`${columns[query.sort_by]} ${sql.raw(query.sort_direction)}`, asc(teams.id))
    .limit(query.page_size)
    .offset(query.page * query.page_size);
  const [entries, total] = await Promise.all([
    page.then((rows) => withRelations(ctx, rows)),
    ctx.db.$count(teams, where),
  ]);
  return { entries, total };
}

const membershipOf = (ctx: Context, userId: string, extra?: SQL) =>
  exists(
    ctx.db
      .select({ one: sql`1` })
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, userId), extra)),
  );

export async function getTeam(ctx: Context, id: string, token?: string): Promise<TeamDetails> {
  return withDetails(ctx, await requireTeam(ctx, ctx.db, id, 'team.view', token));
}

/** Who is shown to everybody must have proven who they are. */
async function assertMayBeFound(ctx: Context, discovery: TeamDiscovery | undefined): Promise<void> {
  if (!discovery || discovery === 'private' || ctx.actor.isAdmin) return;
  const self = await requireSelf(ctx);
  if (!self.emailConfirmedAt) throw denied('no_permissions', 'Confirm your e-mail address to create a public team.');
}

/** Null when it was only checked. */
export async function createTeam(ctx: Context, input: EndpointInput<'teams', 'create'>): Promise<TeamDetails | null> {
  await assertMayBeFound(ctx, input.discovery);
  await assertNameIsFree(ctx, input.name);
  if (input.dry_run) return null;
  return ctx.write(async ({ tx, emit }) => {
    const now = ctx.now();
    const [team] = await tx
      .insert(teams)
      .values({
        name: input.name,
        description: input.description ?? '',
        icon: input.icon ?? null,
        discovery: input.discovery ?? 'private',
        contactEmail: input.contact_email ?? null,
        createdById: ctx.actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .returning()
      .catch(nameIsTaken);
    if (!team) throw new Error('The team was not stored');
    await tx.insert(teamMembers).values({ teamId: team.id, userId: callerOf(ctx), role: 'owner', createdAt: now });
    await emit('team.created', { team_id: team.id });
    return withDetails(ctx, await requireTeam(ctx, tx, team.id, 'team.view'), tx);
  });
}

async function assertNameIsFree(ctx: Context, name: string): Promise<void> {
  const [taken] = await ctx.db
    .select({ id: teams.id })
    .from(teams)
    .where(eq(sql`lower(${teams.name})`, name.toLowerCase()));
  if (taken) throw invalidField('name', 'A team with this name already exists');
}

const nameIsTaken = (error: unknown): never => {
  throw isUniqueViolation(error, 'teams_name') ? invalidField('name', 'A team with this name already exists') : error;
};

export async function updateTeam(
  ctx: Context,
  id: string,
  update: EndpointFields<'teams', 'update'>,
): Promise<TeamDetails> {
  await assertMayBeFound(ctx, update.discovery);
  return change(
    ctx,
    id,
    {
      ...(update.name !== undefined && { name: update.name }),
      ...(update.description !== undefined && { description: update.description }),
      ...(update.icon !== undefined && { icon: update.icon }),
      ...(update.discovery !== undefined && { discovery: update.discovery }),
      ...(update.contact_email !== undefined && { contactEmail: update.contact_email }),
    },
    Object.keys(update),
  );
}

async function change(ctx: Context, id: string, changed: Partial<TeamRow>, fields: string[]): Promise<TeamDetails> {
  return ctx.write(async ({ tx, emit }) => {
    const access = await requireLockedTeam(ctx, tx, id, 'team.edit');
    if (fields.length === 0) return withDetails(ctx, access, tx);
    const [team] = await tx
      .update(teams)
      .set({ ...changed, updatedAt: ctx.now() })
      .where(eq(teams.id, id))
      .returning()
      .catch(nameIsTaken);
    await emit('team.updated', { team_id: id, fields });
    return withDetails(ctx, { ...access, team: team ?? access.team }, tx);
  });
}

const box = { width: 256, height: 256, isSquare: true };

/** Nothing is drawn for somebody who may not change the team. */
export async function setThumbnail(ctx: Context, id: string, uploadId: string | null): Promise<TeamDetails> {
  await requireTeam(ctx, ctx.db, id, 'team.edit');
  const picture = uploadId === null ? null : await preparePicture(ctx, uploadId, 'upload_id', box);
  return ctx.write(async ({ tx, emit }) => {
    const access = await requireLockedTeam(ctx, tx, id, 'team.edit');
    await retirePicture(tx, access.team.thumbnailAssetId);
    const thumbnailAssetId = picture && (await publishPicture(ctx, tx, picture));
    const [team] = await tx
      .update(teams)
      .set({ thumbnailAssetId, updatedAt: ctx.now() })
      .where(eq(teams.id, id))
      .returning();
    await emit('team.updated', { team_id: id, fields: ['thumbnail'] });
    return withDetails(ctx, { ...access, team: team ?? access.team }, tx);
  });
}

/** Members lose what they had through it, at once; projects stay with their owners. */
export async function deleteTeam(ctx: Context, id: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const { team } = await requireLockedTeam(ctx, tx, id, 'team.delete');
    const members = await tx.select({ id: teamMembers.userId }).from(teamMembers).where(eq(teamMembers.teamId, id));
    const shared = await tx
      .select({ id: projectGrants.projectId })
      .from(projectGrants)
      .where(eq(projectGrants.teamId, id));
    await retirePicture(tx, team.thumbnailAssetId);
    await tx.delete(teams).where(eq(teams.id, id));
    await emit('team.deleted', {
      team_id: id,
      name: team.name,
      user_ids: members.map((member) => member.id),
      project_ids: shared.map((project) => project.id),
    });
  });
}
