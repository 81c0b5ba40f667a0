import type { Paging, PersonSummary, TeamRole } from '@atoll/contract';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, denied, invalidField, notFound } from '../../../platform/errors.ts';
import { containing } from '../../../platform/like.ts';
import { loadPeopleOf, loadPerson } from '../../projects/service/relations.ts';
import { userSearchText, users } from '../../users/table.ts';
import { type TeamInviteRow, type TeamMemberRow, teamInvites, teamJoinRequests, teamMembers } from '../table.ts';
import { callerOf, requireLockedTeam, requireTeam, type TeamAccess } from './access.ts';
import { type TeamDetails, withDetails } from './relations.ts';

export interface Member extends TeamMemberRow {
  person: PersonSummary;
  /** What the caller may do with it. */
  rights: ('edit' | 'delete')[];
}

/** Admins see to everybody but the owner; everybody can go themselves. */
const rightsOn = (ctx: Context, { abilities }: TeamAccess, member: TeamMemberRow): Member['rights'] =>
  abilities.includes('edit') && member.role !== 'owner' && member.userId !== ctx.actor.userId ? ['edit', 'delete'] : [];

const roleOrder = sql`array_position(array['owner', 'admin', 'member', 'guest'], ${teamMembers.role})`;

export async function listMembers(
  ctx: Context,
  id: string,
  { page, page_size, search }: Paging & { search?: string },
): Promise<{ members: Member[]; total: number }> {
  const access = await requireTeam(ctx, ctx.db, id, 'team.view');
  const pattern = containing(search?.toLowerCase() ?? '');
  const where = and(eq(teamMembers.teamId, id), search ? sql`${userSearchText(users)} like ${pattern}` : undefined);
  const rows = await ctx.db
    .select({ member: teamMembers })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(where)
    .orderBy(roleOrder, asc(teamMembers.createdAt), asc(teamMembers.userId))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const [found] = await ctx.db
    .select({ total: count() })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(where);
  const people = await loadPeopleOf(ctx.db, rows, ({ member }) => member.userId);
  const members = rows.flatMap(({ member }) => {
    const person = people.get(member.userId);
    return person ? [{ ...member, person, rights: rightsOn(ctx, access, member) }] : [];
  });
  return { members, total: found?.total ?? 0 };
}

export async function findMember(tx: Context['db'], teamId: string, userId: string): Promise<TeamMemberRow | null> {
  const [member] = await tx
    .select()
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));
  return member ?? null;
}

async function requireOther(ctx: Context, write: Write, access: TeamAccess, userId: string): Promise<TeamMemberRow> {
  const member = await findMember(write.tx, access.team.id, userId);
  if (!member) throw notFound('This member');
  if (member.role === 'owner') throw denied('no_permissions', 'The owner cannot leave before transferring ownership.');
  if (userId === ctx.actor.userId) throw denied('no_permissions', 'You cannot change your own role.');
  return member;
}

export const changeMember = (ctx: Context, id: string, userId: string, role: TeamRole): Promise<Member> =>
  ctx.write(async (write) => {
    const access = await requireLockedTeam(ctx, write.tx, id, 'team.edit');
    const member = await requireOther(ctx, write, access, userId);
    if (member.role !== role) {
      await setRole(write, id, userId, role);
      await write.emit('team.role_changed', { team_id: id, user_id: userId, by_user_id: ctx.actor.userId, role });
    }
    const person = await loadPerson(write.tx, userId);
    if (!person) throw notFound('This member');
    const row = { ...member, role };
    return { ...row, person, rights: rightsOn(ctx, access, row) };
  });

async function setRole({ tx }: Write, teamId: string, userId: string, role: TeamRole): Promise<void> {
  await tx
    .update(teamMembers)
    .set({ role })
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));
}

/** A request to join that is not answered. */
export const isWaiting = (teamId: string, userId: string) =>
  and(eq(teamJoinRequests.teamId, teamId), eq(teamJoinRequests.userId, userId), eq(teamJoinRequests.status, 'pending'));

/** However somebody comes in: what else was waiting for them is over. */
export async function addMember(
  ctx: Context,
  write: Write,
  teamId: string,
  userId: string,
  { role, invite }: { role: TeamRole; invite?: TeamInviteRow },
): Promise<void> {
  const { tx } = write;
  const added = await tx
    .insert(teamMembers)
    .values({ teamId, userId, role, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning();
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (user?.email)
    await tx
      .delete(teamInvites)
      .where(and(eq(teamInvites.teamId, teamId), eq(teamInvites.email, user.email.toLowerCase())));
  await tx
    .update(teamJoinRequests)
    .set({ status: 'approved', answeredAt: ctx.now(), answeredById: ctx.actor.userId })
    .where(isWaiting(teamId, userId));
  if (added.length > 0)
    await write.emit('team.joined', {
      team_id: teamId,
      user_id: userId,
      by_user_id: ctx.actor.userId,
      // A link is for many, and whoever made it does not wait for each.
      invited_by_user_id: invite?.email ? invite.invitedById : null,
    });
}

async function takeOut(ctx: Context, { tx, emit }: Write, teamId: string, userId: string): Promise<void> {
  await tx.delete(teamMembers).where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));
  await emit('team.left', { team_id: teamId, user_id: userId, by_user_id: ctx.actor.userId });
}

export async function removeMember(ctx: Context, id: string, userId: string): Promise<void> {
  await ctx.write(async (write) => {
    const access = await requireLockedTeam(ctx, write.tx, id, 'team.edit');
    await requireOther(ctx, write, access, userId);
    await takeOut(ctx, write, id, userId);
  });
}

export async function leaveTeam(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const { role } = await requireLockedTeam(ctx, write.tx, id, 'team.leave');
    if (!role) throw new AppError('conflict', 'You are not a member of this team.');
    if (role === 'owner') throw new AppError('conflict', 'Transfer ownership first, or delete the team.');
    await takeOut(ctx, write, id, callerOf(ctx));
  });
}

/** The old owner stays as an administrator. */
export const transferTeam = (ctx: Context, id: string, userId: string): Promise<TeamDetails> =>
  ctx.write(async (write) => {
    const access = await requireLockedTeam(ctx, write.tx, id, 'team.transfer');
    const heir = await findMember(write.tx, id, userId);
    if (!heir) throw invalidField('user_id', 'Is not a member of this team');
    if (heir.role === 'owner') throw invalidField('user_id', 'Already owns this team');
    const [owner] = await write.tx
      .update(teamMembers)
      .set({ role: 'admin' })
      .where(and(eq(teamMembers.teamId, id), eq(teamMembers.role, 'owner')))
      .returning();
    await setRole(write, id, userId, 'owner');
    await write.emit('team.transferred', { team_id: id, from_user_id: owner?.userId ?? null, to_user_id: userId });
    const after = access.role === null ? access : await requireTeam(ctx, write.tx, id, 'team.view');
    return withDetails(ctx, after, write.tx);
  });
