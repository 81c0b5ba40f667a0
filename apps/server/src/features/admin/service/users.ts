import type { AdminUserDetail, adminUserUpdate, EndpointInput, newAdminUser } from '@atoll/contract';
import { and, eq, inArray } from 'drizzle-orm';
import type { z } from 'zod';
import { changesOf } from '../../../platform/action-log/changes.ts';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { ratePlans } from '../../plans/table.ts';
import { endSessions } from '../../sessions/service.ts';
import { sessions } from '../../sessions/table.ts';
import { assignPlan } from '../../subscriptions/service/assign.ts';
import { extendTrial, stopTrial } from '../../subscriptions/service/trials.ts';
import { createUser, freeUserName, namedConflict } from '../../users/service.ts';
import { roles, type UserRow, userRoles, users } from '../../users/table.ts';
import { recorded } from '../view.ts';
import { assertNotLastAdmin, lockUser } from './admins.ts';
import { userDetail } from './user-detail.ts';

const subject = ({ id }: Pick<UserRow, 'id'>) => ({ type: 'user', id });

export async function createAccount(ctx: Context, input: z.output<typeof newAdminUser>): Promise<AdminUserDetail> {
  const { email, first_name, last_name, role, role_ids } = input;
  const id = await ctx.write(async (write) => {
    await assertRoles(write, role_ids);
    const userName = input.user_name ?? (await freeUserName(write.tx, email.split('@')[0] ?? ''));
    const fields = { email, userName, firstName: first_name, lastName: last_name, role };
    const user = await createUser(ctx, write, fields);
    if (role_ids.length > 0)
      await write.tx.insert(userRoles).values(role_ids.map((roleId) => ({ userId: user.id, roleId })));
    // With it they choose a password, which proves the address too.
    await write.emit('password_reset.requested', { user_id: user.id });
    await recordAction(ctx, write, {
      action: 'user.created',
      subject: subject(user),
      after: { email, user_name: userName, role, role_ids },
    });
    return user.id;
  });
  return userDetail(ctx, id);
}

export async function updateAccount(
  ctx: Context,
  id: string,
  update: z.output<typeof adminUserUpdate>,
): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    const features = { ...user.features };
    for (const [name, value] of Object.entries(update.features ?? {}) as [keyof typeof features, boolean | null][]) {
      if (value === null) delete features[name];
      else features[name] = value;
    }
    const isNewAddress = update.email !== undefined && update.email.toLowerCase() !== user.email?.toLowerCase();
    const values = {
      ...(update.email !== undefined && { email: update.email }),
      // An address that an admin has typed is not proven by that.
      ...(isNewAddress && { emailConfirmedAt: null }),
      ...(update.is_email_confirmed && { emailConfirmedAt: user.emailConfirmedAt ?? ctx.now() }),
      ...(update.user_name !== undefined && { userName: update.user_name }),
      ...(update.first_name !== undefined && { firstName: update.first_name }),
      ...(update.last_name !== undefined && { lastName: update.last_name }),
      ...(update.headline !== undefined && { headline: update.headline }),
      ...(update.company_name !== undefined && { companyName: update.company_name }),
      ...(update.company_position !== undefined && { companyPosition: update.company_position }),
      ...(update.is_discoverable !== undefined && { isDiscoverable: update.is_discoverable }),
      features,
    };
    const changed = await write.tx
      .update(users)
      .set(values)
      .where(eq(users.id, id))
      .returning()
      .catch((error: unknown) => {
        throw namedConflict(error);
      });
    const { before, after, isSame } = changesOf(recorded(user), recorded(changed[0] ?? user));
    if (isSame) return;
    await recordAction(ctx, write, { action: 'user.updated', subject: subject(user), before, after });
    await write.emit('user.updated', { user_id: id, fields: Object.keys(after) });
  });
  return userDetail(ctx, id);
}

async function assertRoles({ tx }: Write, ids: string[]): Promise<void> {
  const known = ids.length > 0 ? await tx.select({ id: roles.id }).from(roles).where(inArray(roles.id, ids)) : [];
  if (known.length !== new Set(ids).size) throw invalidField('role_ids', 'Is not a known role');
}

export async function setRoles(ctx: Context, id: string, ids: string[]): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const { tx } = write;
    const user = await lockUser(write, id);
    await assertRoles(write, ids);
    const names = () =>
      tx
        .select({ name: roles.name })
        .from(userRoles)
        .innerJoin(roles, eq(roles.id, userRoles.roleId))
        .where(eq(userRoles.userId, id))
        .orderBy(roles.name)
        .then((rows) => rows.map(({ name }) => name));
    const before = { roles: await names() };
    await tx.delete(userRoles).where(eq(userRoles.userId, id));
    if (ids.length > 0) await tx.insert(userRoles).values([...new Set(ids)].map((roleId) => ({ userId: id, roleId })));
    const changes = changesOf(before, { roles: await names() });
    if (changes.isSame) return;
    await recordAction(ctx, write, { action: 'user.roles_changed', subject: subject(user), ...changes });
    await write.emit('user.access_changed', { user_id: id });
  });
  return userDetail(ctx, id);
}

export async function setAccess(
  ctx: Context,
  { id, role, reason }: EndpointInput<'admin', 'setAccess'>,
): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    if (user.role === role) return;
    if (user.isGuest) throw new AppError('conflict', 'A guest cannot be an admin.');
    if (role !== 'admin') await assertNotLastAdmin(write, user);
    await write.tx.update(users).set({ role }).where(eq(users.id, id));
    // Connections that were opened with an admin's rights must not keep them.
    if (role !== 'admin') await endSessions(ctx, write, eq(sessions.userId, id), 'access_changed');
    const changes = { before: { role: user.role }, after: { role } };
    await recordAction(ctx, write, { action: 'user.access_changed', subject: subject(user), reason, ...changes });
    await write.emit('user.access_changed', { user_id: id });
  });
  return userDetail(ctx, id);
}

export async function givePlan(
  ctx: Context,
  { id, plan: name, reason }: EndpointInput<'admin', 'setSubscription'>,
): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    if (user.isGuest) throw new AppError('conflict', 'A guest cannot have a plan.');
    const plans = await write.tx.select().from(ratePlans);
    const titleOf = (wanted: string) => plans.find((plan) => plan.name === wanted)?.title ?? wanted;
    const plan = plans.find((each) => each.name === name);
    if (!plan) throw invalidField('plan', 'Is not a known plan');
    await assignPlan(ctx.within(write), id, plan.id);
    const changes = { before: { plan: titleOf(user.plan) }, after: { plan: plan.title } };
    await recordAction(ctx, write, { action: 'user.plan_changed', subject: subject(user), reason, ...changes });
    await write.emit('user.access_changed', { user_id: id });
  });
  return userDetail(ctx, id);
}

export async function changeTrial(ctx: Context, id: string, days: number): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    const inner = ctx.within(write);
    if (days > 0) await extendTrial(inner, id, days);
    else await stopTrial(inner, id);
    const action = days > 0 ? 'user.trial_extended' : 'user.trial_ended';
    await recordAction(ctx, write, { action, subject: subject(user), after: { days } });
  });
  return userDetail(ctx, id);
}

export async function endSessionsOf(ctx: Context, id: string, sessionId?: string): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    const ofUser = eq(sessions.userId, id);
    const ended = await endSessions(
      ctx,
      write,
      sessionId ? and(ofUser, eq(sessions.id, sessionId)) : ofUser,
      'ended_by_admin',
    );
    if (ended > 0)
      await recordAction(ctx, write, { action: 'user.sessions_ended', subject: subject(user), after: { ended } });
  });
  return userDetail(ctx, id);
}

export async function suspendUser(ctx: Context, id: string, text: string): Promise<AdminUserDetail> {
  if (id === ctx.actor.userId) throw new AppError('conflict', 'You cannot suspend your own account.');
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    await assertNotLastAdmin(write, user);
    await write.tx
      .update(users)
      .set({ suspendedAt: user.suspendedAt ?? ctx.now(), suspensionMessage: text })
      .where(eq(users.id, id));
    await endSessions(ctx, write, eq(sessions.userId, id), 'suspended');
    await recordAction(ctx, write, { action: 'user.suspended', subject: subject(user), reason: text });
    await write.emit('user.suspended', { user_id: id });
  });
  return userDetail(ctx, id);
}

export async function unsuspendUser(ctx: Context, id: string, reason?: string): Promise<AdminUserDetail> {
  await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    if (!user.suspendedAt) return;
    await write.tx.update(users).set({ suspendedAt: null, suspensionMessage: null }).where(eq(users.id, id));
    await recordAction(ctx, write, { action: 'user.unsuspended', subject: subject(user), reason });
    await write.emit('user.unsuspended', { user_id: id });
  });
  return userDetail(ctx, id);
}
