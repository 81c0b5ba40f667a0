import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { findUser, findUserByEmail, requireSelf } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { proveAddress } from './first-proof.ts';
import { createOneTimeToken, linkIsOver, useOneTimeToken } from './one-time.ts';
import { enterAs, type SignedIn } from './password.ts';

/** Mailed links. Whether an address has an account is never told: the answer is the same either way. */

export async function requestSignInLink(ctx: Context, input: { email: string; return_to?: string }): Promise<void> {
  const user = await findUserByEmail(ctx.db, input.email);
  if (!user || user.suspendedAt) return;
  await ctx.write(({ emit }) =>
    emit('sign_in_link.requested', { user_id: user.id, return_to: input.return_to ?? null }),
  );
}

export async function redeemSignInLink(ctx: Context, token: string): Promise<SignedIn & { returnTo: string | null }> {
  return ctx.write(async (write) => {
    const used = await useOneTimeToken(ctx, write, 'sign_in_link', token);
    const user = used?.userId ? await findUser(write.tx, used.userId) : null;
    // The link printed at the start has no address; a mailed one is for the address it went to.
    if (!used || !user || (used.email !== null && used.email !== user.email)) throw linkIsOver();
    const proven = used.email ? await proveAddress(ctx, write, user, used.email) : user;
    return { ...(await enterAs(ctx, write, proven, 'link')), returnTo: used.returnTo };
  });
}

export async function requestPasswordReset(ctx: Context, email: string): Promise<void> {
  const user = await findUserByEmail(ctx.db, email);
  if (!user || user.suspendedAt) return;
  await ctx.write(({ emit }) => emit('password_reset.requested', { user_id: user.id }));
}

export async function requestEmailConfirmation(ctx: Context): Promise<void> {
  const user = await requireSelf(ctx);
  const { email } = user;
  if (!email) throw new AppError('conflict', 'There is no e-mail address to confirm.');
  if (user.emailConfirmedAt) throw new AppError('conflict', 'This e-mail address is already confirmed.');
  await ctx.write(({ emit }) => emit('email_confirmation.requested', { user_id: user.id, email }));
}

export async function redeemEmailConfirmation(ctx: Context, token: string): Promise<string> {
  return ctx.write(async (write) => {
    const used = await useOneTimeToken(ctx, write, 'email_confirmation', token);
    if (!used?.userId || !used.email) throw linkIsOver();
    // Only from inside the account: otherwise the owner of an address would confirm what a stranger set up with it.
    if (used.userId !== ctx.actor.userId) {
      throw new AppError('forbidden', 'Sign in to your account first, then open the link in the mail again.');
    }
    const confirmed = await write.tx
      .update(users)
      .set({ emailConfirmedAt: ctx.now() })
      .where(and(eq(users.id, used.userId), eq(users.email, used.email)))
      .returning({ id: users.id });
    // The address was changed after the mail went out.
    if (confirmed.length === 0) throw linkIsOver();
    await write.emit('user.updated', { user_id: used.userId, fields: ['email'] });
    return used.email;
  });
}

/** The link the terminal prints on a first start. */
export async function createAdminLink(ctx: Context, userId: string): Promise<string> {
  const day = 24 * 60 * 60_000;
  const token = await ctx.write((write) =>
    createOneTimeToken(ctx, write, { purpose: 'sign_in_link', userId, returnTo: '/dashboard', lifeMs: day }),
  );
  return linkTo(ctx, '/auth/link', token);
}

/** The token stands behind `#`, so that it reaches no server log on the way. */
export const linkTo = (ctx: Context, path: string, token: string) => `${ctx.config.url}${path}#token=${token}`;
