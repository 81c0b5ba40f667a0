import { randomBytes } from 'node:crypto';
import { type EndpointFields, type Paging, type PersonSummary, roleOfPermissions } from '@atoll/contract';
import { and, desc, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { countMail } from '../../mail/limits.ts';
import { mailedName } from '../../mail/names.ts';
import { sendThemedMail } from '../../mail/themed-mail.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { inviterOf, requireOwnCode } from '../../users/friends.ts';
import { requireSelf, withReferralCode } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { type TeamInviteRow, teamInvites, teamMembers, teams } from '../table.ts';
import { hashOf, requireTeam } from './access.ts';

export interface InviteWithPerson extends TeamInviteRow {
  invitedBy: PersonSummary | null;
}

const lifeMs = 30 * 24 * 60 * 60_000;

async function withPeople(db: Database | Transaction, rows: TeamInviteRow[]): Promise<InviteWithPerson[]> {
  const people = await loadPeopleOf(db, rows, (row) => row.invitedById);
  return rows.map((row) => ({ ...row, invitedBy: people.get(row.invitedById ?? '') ?? null }));
}

export async function listInvites(
  ctx: Context,
  id: string,
  { page, page_size }: Paging,
): Promise<{ invites: InviteWithPerson[]; total: number }> {
  await requireTeam(ctx, ctx.db, id, 'team.edit');
  const where = and(eq(teamInvites.teamId, id), gt(teamInvites.expiresAt, ctx.now()));
  const rows = await ctx.db
    .select()
    .from(teamInvites)
    .where(where)
    .orderBy(desc(teamInvites.createdAt), desc(teamInvites.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(teamInvites, where);
  return { invites: await withPeople(ctx.db, rows), total };
}

/** The link is in this answer only. Who was invited already is invited anew. */
export async function invite(
  ctx: Context,
  id: string,
  input: EndpointFields<'teams', 'invite'>,
): Promise<InviteWithPerson & { url: string | null }> {
  const role = input.role ?? roleOfPermissions(input.permissions ?? []) ?? 'member';
  if (input.permissions && roleOfPermissions(input.permissions) !== role)
    throw invalidField('permissions', 'Must be those of the role');
  const referralCode = await requireOwnCode(ctx, await requireSelf(ctx), input.referral_code);
  const token = input.email ? null : randomBytes(24).toString('base64url');
  return ctx.write(async (write) => {
    const { tx, emit } = write;
    await requireTeam(ctx, tx, id, 'team.edit');
    if (input.email && (await isMember(tx, id, input.email)))
      throw invalidField('email', 'Already a member of this team');
    const now = ctx.now();
    const values = {
      role,
      referralCode,
      message: input.message,
      invitedById: ctx.actor.userId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + lifeMs),
    };
    const [row] = await tx
      .insert(teamInvites)
      .values({ teamId: id, email: input.email ?? null, tokenHash: token && hashOf(token), ...values })
      .onConflictDoUpdate({ target: [teamInvites.teamId, teamInvites.email], set: values })
      .returning();
    if (!row) throw new Error('The invitation was not stored');
    await emit('team.invited', { team_id: id, invite_id: row.id, by_user_id: ctx.actor.userId });
    const [invited] = await withPeople(tx, [row]);
    if (input.email) await countMail(ctx, write, { senderId: ctx.userId, address: input.email });
    return {
      ...row,
      invitedBy: invited?.invitedBy ?? null,
      url: token && withReferralCode(`${ctx.config.url}/teams/${id}?invite=${token}`, referralCode),
    };
  });
}

async function isMember(tx: Transaction, teamId: string, email: string): Promise<boolean> {
  const [member] = await tx
    .select({ id: users.id })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, teamId), eq(sql`lower(${users.email})`, email)));
  return member !== undefined;
}

export async function removeInvite(ctx: Context, id: string, inviteId: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    await requireTeam(ctx, tx, id, 'team.edit');
    const removed = await tx
      .delete(teamInvites)
      .where(and(eq(teamInvites.id, inviteId), eq(teamInvites.teamId, id)))
      .returning({ id: teamInvites.id });
    if (removed.length === 0) throw notFound('This invitation');
    await emit('team.invite_removed', { team_id: id, invite_id: inviteId });
  });
}

/** Stored first, mailed after; one that was taken back meanwhile is not mailed. */
export async function mailInvite(ctx: Context, inviteId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ invite: teamInvites, team: teams })
    .from(teamInvites)
    .innerJoin(teams, eq(teams.id, teamInvites.teamId))
    .where(eq(teamInvites.id, inviteId));
  if (!found?.invite.email) return;
  const { invite, team } = found;
  const name = mailedName(team.name);
  const inviter = await inviterOf(ctx, invite.invitedById);
  await sendThemedMail(ctx, found.invite.email, {
    subject: `You are invited to the team “${name}”`,
    lead: `${inviter.name} invites you to work together in the team “${name}”.`,
    body: invite.message || undefined,
    button: 'Open team',
    url: withReferralCode(`${ctx.config.url}/teams/${team.id}`, invite.referralCode ?? inviter.code),
    note: 'Sign in, or create an account with this address, to accept. The invitation expires after 30 days.',
  });
}

export async function sweepInvites(ctx: Context): Promise<void> {
  await ctx.db.delete(teamInvites).where(lt(teamInvites.expiresAt, ctx.now()));
}

/** Whose proven address was invited; nobody while it is nobody's. */
export async function invitedPeople(ctx: Context, inviteId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: users.id })
    .from(teamInvites)
    .innerJoin(users, and(eq(sql`lower(${users.email})`, teamInvites.email), isNotNull(users.emailConfirmedAt)))
    .where(eq(teamInvites.id, inviteId));
  return rows.map((row) => row.id);
}

/** Invitations that were waiting for somebody's address. */
export const invitesOf = (ctx: Context, userId: string): Promise<TeamInviteRow[]> =>
  ctx.db
    .select({ invite: teamInvites })
    .from(teamInvites)
    .innerJoin(users, and(eq(sql`lower(${users.email})`, teamInvites.email), isNotNull(users.emailConfirmedAt)))
    .where(eq(users.id, userId))
    .then((rows) => rows.map((row) => row.invite));
