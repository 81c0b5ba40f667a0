import { createHash } from 'node:crypto';
import { type TeamAbility, type TeamRole, teamAbilitiesOn } from '@atoll/contract';
import { and, eq, gt } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { users } from '../../users/table.ts';
import { type TeamInviteRow, type TeamRow, teamInvites, teamMembers, teams } from '../table.ts';

type Reader = Database | Transaction;

/** A team together with everything the caller may do with it. */
export interface TeamAccess {
  team: TeamRow;
  role: TeamRole | null;
  invite: TeamInviteRow | null;
  abilities: TeamAbility[];
}

type TeamPermissionName = `team.${'view' | 'edit' | 'delete' | 'transfer' | 'join' | 'leave'}`;
const abilityOf: Record<TeamPermissionName, TeamAbility> = {
  'team.view': 'view',
  'team.edit': 'edit',
  'team.delete': 'delete',
  'team.transfer': 'transfer',
  'team.join': 'view',
  'team.leave': 'view',
};

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export const callerOf = (ctx: Context): string => ctx.actor.userId ?? nobody;

/** Loads a team and refuses unless the caller may do this with it; who cannot see it learns nothing. */
export async function requireTeam(
  ctx: Context,
  db: Reader,
  id: string,
  permission: TeamPermissionName,
  token?: string,
): Promise<TeamAccess> {
  const [found] = await db
    .select({ team: teams, role: teamMembers.role })
    .from(teams)
    .leftJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, callerOf(ctx))))
    .where(eq(teams.id, id));
  if (!found) throw notFound('This team');
  const { team, role } = found;
  const invite = role ? null : await findInvite(ctx, db, id, token);
  const abilities = teamAbilitiesOn({
    role,
    discovery: team.discovery,
    isInvited: invite !== null,
    isAdmin: ctx.actor.isAdmin,
  });
  const access = { team, role, invite, abilities };
  if (!abilities.includes('view')) throw notFound('This team');
  if (!abilities.includes(abilityOf[permission]))
    throw denied('no_permissions', 'You do not have permission to do this with this team.');
  ctx.authorize(permission, access);
  return access;
}

/** By the link, or to the confirmed address of the caller. */
async function findInvite(ctx: Context, db: Reader, teamId: string, token?: string): Promise<TeamInviteRow | null> {
  const isOpen = and(eq(teamInvites.teamId, teamId), gt(teamInvites.expiresAt, ctx.now()));
  if (token) {
    const [byLink] = await db
      .select()
      .from(teamInvites)
      .where(and(isOpen, eq(teamInvites.tokenHash, hashOf(token))));
    if (byLink) return byLink;
  }
  const email = await confirmedAddress(ctx, db);
  if (!email) return null;
  const [byAddress] = await db
    .select()
    .from(teamInvites)
    .where(and(isOpen, eq(teamInvites.email, email)));
  return byAddress ?? null;
}

/** An address nobody has proven to be theirs could be anybody's. */
async function confirmedAddress(ctx: Context, db: Reader): Promise<string | null> {
  if (ctx.actor.kind !== 'user') return null;
  const [user] = await db
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, callerOf(ctx)));
  return user?.confirmedAt && user.email ? user.email.toLowerCase() : null;
}

/** What happens to one team's members happens one after the other; the row is the lock. */
export async function requireLockedTeam(
  ctx: Context,
  tx: Transaction,
  id: string,
  permission: TeamPermissionName,
  token?: string,
): Promise<TeamAccess> {
  await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, id)).for('update');
  return requireTeam(ctx, tx, id, permission, token);
}
