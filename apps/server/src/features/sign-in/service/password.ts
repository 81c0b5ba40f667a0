import { type EndpointInput, errorText } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, denied, unauthorized } from '../../../platform/errors.ts';
import { knownDevice } from '../../sessions/device.ts';
import { endOtherSessions, type OpenedSession, openSession } from '../../sessions/service.ts';
import { createUser, findUser, findUserByEmail, namedConflict, requireSelf } from '../../users/service.ts';
import { type UserRow, users } from '../../users/table.ts';
import { proveAddress } from './first-proof.ts';
import { cancelMailedLinks, linkIsOver, useOneTimeToken } from './one-time.ts';
import { hashPassword, isPassword } from './password-hash.ts';

export interface SignedIn {
  user: UserRow;
  opened: OpenedSession;
}

export async function signUp(ctx: Context, input: EndpointInput<'signIn', 'signUp'>): Promise<SignedIn> {
  if (!ctx.config.signUp) throw denied('disabled_in_configuration', 'Only admins can create accounts here.');
  const passwordHash = await hashPassword(ctx, input.password);
  return ctx.write(async (write) => {
    const user = await createUser(ctx, write, {
      email: input.email,
      userName: input.user_name,
      firstName: input.first_name,
      lastName: input.last_name,
      passwordHash,
      referredBy: input.referral_code ?? null,
    });
    await write.emit('email_confirmation.requested', { user_id: user.id, email: input.email });
    return { user, opened: await openSession(ctx, write, user, { method: 'sign_up', isProof: true }) };
  });
}

export async function signInWithPassword(ctx: Context, input: { email: string; password: string }): Promise<SignedIn> {
  const user = await findUserByEmail(ctx.db, input.email);
  const device = user && knownDevice(ctx, user.id);
  const forgive = countAttempt(ctx, input.email.toLowerCase(), device);
  const isRight = await isPassword(ctx, user?.passwordHash, input.password, device !== null);
  if (!user?.passwordHash || !isRight) throw unauthorized(errorText.authenticationFailed);
  forgive();
  return signInAs(ctx, user, 'password');
}

/** Guesses slow down who makes them; a device on which the person has signed in before is counted by itself. */
function countAttempt(ctx: Context, account: string, device: string | null): () => void {
  const { attempts } = ctx.limits;
  if (device) {
    attempts.begin('device', `${device} ${account}`);
    return () => attempts.forget('device', `${device} ${account}`);
  }
  const fromHere = `${ctx.credentials.ip} ${account}`;
  attempts.begin('address', fromHere);
  attempts.begin('account', account);
  return () => attempts.forget('address', fromHere);
}

export const signInAs = (ctx: Context, user: UserRow, method: string): Promise<SignedIn> =>
  ctx.write((write) => enterAs(ctx, write, user, method));

/** The last step of every way in: refuses the suspended, joins the guest to the account, opens the session. */
export async function enterAs(ctx: Context, write: Write, user: UserRow, method: string): Promise<SignedIn> {
  if (user.suspendedAt) throw denied('no_permissions', user.suspensionMessage ?? 'This account is suspended.');
  if (ctx.actor.kind === 'guest' && ctx.actor.userId && ctx.actor.userId !== user.id) {
    await write.emit('guest.merged', { guest_user_id: ctx.actor.userId, user_id: user.id });
  }
  return { user, opened: await openSession(ctx, write, user, { method, isProof: true }) };
}

export async function resetPassword(ctx: Context, input: { token: string; password: string }): Promise<SignedIn> {
  const passwordHash = await hashPassword(ctx, input.password);
  return ctx.write(async (write) => {
    const used = await useOneTimeToken(ctx, write, 'password_reset', input.token);
    const user = used?.userId ? await findUser(write.tx, used.userId) : null;
    if (!used || !user || used.email !== user.email) throw linkIsOver();
    if (user.suspendedAt) throw denied('no_permissions', user.suspensionMessage ?? 'This account is suspended.');
    if (used.email) await proveAddress(ctx, write, user, used.email);
    await cancelMailedLinks(write, user.id);
    await write.tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await endOtherSessions(ctx, write, user.id, 'password_changed');
    await write.emit('credentials.changed', { user_id: user.id, what: 'password' });
    return { user, opened: await openSession(ctx, write, user, { method: 'password_reset', isProof: true }) };
  });
}

/** A new address or password, by somebody who signed in lately. The other sessions end with an old password. */
export async function updateCredentials(ctx: Context, input: { email?: string; password?: string }): Promise<UserRow> {
  const passwordHash =
    input.password === undefined ? undefined : await hashPassword(ctx, input.password, { isKnown: true });
  return ctx.write(async (write) => {
    const user = await requireSelf(ctx, write.tx);
    if (user.managedBy) throw new AppError('conflict', 'This account is managed elsewhere. Change it there.');
    const isNewEmail = input.email !== undefined && input.email.toLowerCase() !== user.email?.toLowerCase();
    try {
      const [row] = await write.tx
        .update(users)
        .set({
          ...(passwordHash && { passwordHash }),
          ...(isNewEmail && { email: input.email, emailConfirmedAt: null }),
          activeAt: ctx.now(),
        })
        .where(eq(users.id, user.id))
        .returning();
      if (isNewEmail || passwordHash) await cancelMailedLinks(write, user.id);
      if (isNewEmail && input.email) {
        await write.emit('credentials.changed', { user_id: user.id, what: 'email', previous_email: user.email });
        await write.emit('email_confirmation.requested', { user_id: user.id, email: input.email });
      }
      if (passwordHash) {
        await write.emit('credentials.changed', { user_id: user.id, what: 'password' });
        await endOtherSessions(ctx, write, user.id, 'password_changed');
      }
      return row ?? user;
    } catch (error) {
      throw namedConflict(error);
    }
  });
}
