import type { EndpointInput } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { invalidField } from '../../platform/errors.ts';
import { countMail } from '../mail/limits.ts';
import { mailedName } from '../mail/names.ts';
import { sendThemedMail } from '../mail/themed-mail.ts';
import { referrals } from '../referrals/table.ts';
import { currentTheme } from '../theme/service.ts';
import { findUser, findUserByEmail, requireSelf, withReferralCode } from './service.ts';
import { personView } from './view.ts';

/** Says the same whether the address has an account or not. */
export async function inviteFriend(ctx: Context, input: EndpointInput<'users', 'inviteFriend'>): Promise<void> {
  const self = await requireSelf(ctx);
  const code = (await requireOwnCode(ctx, self, input.referral_code)) ?? '';
  await ctx.write(async (write) => {
    const isHere = await findUserByEmail(write.tx, input.email);
    // Counted for both, so that the limit tells no address of an account from another.
    await countMail(ctx, write, { senderId: self.id, address: input.email });
    if (isHere) return;
    await write.emit('friend.invited', {
      user_id: self.id,
      email: input.email,
      message: input.invitation_message,
      referral_code: code,
    });
  });
}

/** The code by which an inviter is thanked: their own, or another one of theirs. */
export async function requireOwnCode(
  ctx: Context,
  self: { id: string; referralCode: string | null },
  code = self.referralCode,
): Promise<string | null> {
  if (code && code !== self.referralCode && !(await isOwnedBy(ctx, self.id, code)))
    throw invalidField('referral_code', 'Is not a code of yours');
  return code;
}

/** Who a mail names as the one that invites, and the code by which they are thanked. */
export async function inviterOf(ctx: Context, userId: string | null): Promise<{ name: string; code: string | null }> {
  const user = userId ? await findUser(ctx.db, userId) : undefined;
  return { name: user ? mailedName(personName(personView(user))) : 'Someone', code: user?.referralCode ?? null };
}

export async function mailFriend(
  ctx: Context,
  sent: { user_id: string; email: string; message: string; referral_code: string },
): Promise<void> {
  const user = await findUser(ctx.db, sent.user_id);
  if (!user) return;
  const { name, description } = await currentTheme(ctx);
  const inviter = mailedName(personName(personView(user)));
  await sendThemedMail(ctx, sent.email, {
    subject: `${inviter} invites you`,
    lead: `${inviter} would like to work with you in ${name}.${description ? ` ${description}` : ''}`,
    body: sent.message || undefined,
    button: 'Create account',
    url: withReferralCode(`${ctx.config.url}/sign-up`, sent.referral_code),
    note: 'If you do not know this person, ignore this message.',
  });
}

async function isOwnedBy(ctx: Context, userId: string, code: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: referrals.id })
    .from(referrals)
    .where(and(eq(referrals.ownerId, userId), eq(referrals.code, code)));
  return row !== undefined;
}
