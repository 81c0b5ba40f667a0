import type { EndpointInput } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { revokeAllApiKeys } from '../../api-keys/service.ts';
import { changeOwner } from '../../projects/service/transfer.ts';
import { projects } from '../../projects/table.ts';
import { secrets } from '../../secrets/table.ts';
import { endSessions } from '../../sessions/service.ts';
import { sessions } from '../../sessions/table.ts';
import { passkeys } from '../../sign-in/table.ts';
import { subscriptions } from '../../subscriptions/table.ts';
import { teamMembers, teams } from '../../teams/table.ts';
import { findUser } from '../../users/service.ts';
import { noSocialUrls, type UserRow, userRoles, users } from '../../users/table.ts';
import { assertNotLastAdmin, lockUser } from './admins.ts';

/** The row stays without a name or address: the books and what others see of their work refer to it. */
export async function deleteUser(
  ctx: Context,
  { id, reason, transfer_to_id }: EndpointInput<'admin', 'deleteUser'>,
): Promise<void> {
  if (id === ctx.actor.userId) throw new AppError('conflict', 'You cannot delete your own account here.');
  await ctx.write(async (write) => {
    const { tx } = write;
    const user = await lockUser(write, id);
    await assertNotLastAdmin(write, user);
    await assertNoTeamIsLeft(write, id);
    const moved = await handOver(ctx, write, user, transfer_to_id);
    await endSessions(ctx, write, eq(sessions.userId, id), 'account_deleted');
    await revokeAllApiKeys(ctx, write, id);
    const memberships = await tx.delete(teamMembers).where(eq(teamMembers.userId, id)).returning();
    for (const { teamId } of memberships)
      await write.emit('team.left', { team_id: teamId, user_id: id, by_user_id: ctx.actor.userId });
    for (const table of [passkeys, secrets, subscriptions, userRoles])
      await tx.delete(table).where(eq(table.userId, id));
    await tx
      .update(users)
      .set({
        userName: `deleted_${newId().replaceAll('-', '')}`,
        email: null,
        emailConfirmedAt: null,
        passwordHash: null,
        firstName: 'Deleted',
        lastName: 'account',
        headline: '',
        socialUrls: noSocialUrls,
        companyName: '',
        companyPosition: '',
        avatarAssetId: null,
        avatarIcon: null,
        role: 'user',
        guestId: null,
        isDiscoverable: false,
        features: {},
        aboutPage: null,
        aboutPageDraft: null,
        referralCode: null,
        suspendedAt: ctx.now(),
        suspensionMessage: 'This account was deleted.',
        deletedAt: ctx.now(),
      })
      .where(eq(users.id, id));
    await recordAction(ctx, write, {
      action: 'user.deleted',
      subject: { type: 'user', id },
      reason,
      before: { user_name: user.userName, role: user.role, plan: user.plan, balance: user.balance },
      after: { projects: moved, transferred_to: transfer_to_id },
    });
    await write.emit('user.deleted', { user_id: id });
  });
}

/** A team without an owner could be led by nobody. */
async function assertNoTeamIsLeft({ tx }: Write, id: string): Promise<void> {
  const others = sql`exists (select 1 from ${teamMembers} other
    where other.team_id = ${teamMembers.teamId} and other.role = 'owner' and other.user_id <> ${id})`;
  const [left] = await tx
    .select({ name: teams.name })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(eq(teamMembers.userId, id), eq(teamMembers.role, 'owner'), sql`not ${others}`))
    .limit(1);
  if (left)
    throw new AppError(
      'conflict',
      `They are the only owner of the team “${left.name}”. Give it another owner, or delete it.`,
      {
        details: { reason: 'team_without_owner' },
      },
    );
}

async function handOver(ctx: Context, write: Write, user: UserRow, toId: string | null): Promise<number> {
  const { tx } = write;
  const owned = await tx
    .select({ id: projects.id, deletedAt: projects.deletedAt })
    .from(projects)
    .where(eq(projects.ownerId, user.id));
  if (toId === null) {
    for (const { id, deletedAt } of owned) {
      if (deletedAt) continue;
      await tx.update(projects).set({ deletedAt: ctx.now() }).where(eq(projects.id, id));
      await write.emit('project.deleted', { project_id: id, is_final: false });
    }
    return owned.length;
  }
  const receiver = toId === user.id ? null : await findUser(tx, toId);
  if (!receiver || receiver.isGuest || receiver.suspendedAt || receiver.deletedAt)
    throw invalidField('transfer_to_id', 'Cannot own projects');
  // The plan of the receiver does not stand in the way: otherwise the work would be lost.
  for (const { id } of owned) {
    await changeOwner(ctx, write, { id, ownerId: user.id }, { toId, offeredById: null });
  }
  return owned.length;
}
