import type { EventPayload } from '@atoll/contract';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { kernelChoices } from '../../kernels/table.ts';
import { settingsOf } from '../../plans/service/settings.ts';
import { startTrial } from '../../subscriptions/service/trials.ts';
import { addMember } from '../../teams/service/members.ts';
import { teams } from '../../teams/table.ts';
import { findUser, type PlannedUser } from '../../users/service.ts';
import { roles, userRoles, users } from '../../users/table.ts';
import { moveUnits, NotEnoughUnits, reverseMove } from '../../wallet/service/units.ts';
import { type ReferralRow, type ReferralUseRow, referrals, referralUses } from '../table.ts';

type Reason = NonNullable<ReferralUseRow['reason']>;

/** Whose code it is; every person has one, admins make others. */
async function findCode({ tx }: Write, code: string) {
  const [referral] = await tx
    .select()
    .from(referrals)
    .where(eq(sql`lower(${referrals.code})`, code.toLowerCase()));
  if (referral) return { referral, ownerId: referral.ownerId };
  const [owner] = await tx.select({ id: users.id }).from(users).where(eq(users.referralCode, code.toUpperCase()));
  return owner ? { referral: null, ownerId: owner.id } : null;
}

/** Many addresses of one mailbox are one person's. */
const mailbox = (email: string | null) => {
  const [name = '', domain = ''] = (email ?? '').toLowerCase().split('@');
  return `${name.split('+')[0]}@${domain}`;
};

/** That somebody came, and by which code, if any. What speaks against it is decided now; what they get waits for their address. */
export async function noteReferral(ctx: Context, event: EventPayload<'user.signed_up'>): Promise<void> {
  const { user_id: userId, referral_code: code, is_known_device: isKnownDevice = false } = event;
  await ctx.write(async (write) => {
    const user = await findUser(write.tx, userId);
    if (!user) return;
    const found = code ? await findCode(write, code) : null;
    const owner = found?.ownerId ? await findUser(write.tx, found.ownerId) : null;
    const reason = reasonAgainst(ctx, user, owner, found?.referral ?? null, isKnownDevice);
    const [noted] = await write.tx
      .insert(referralUses)
      .values({
        userId,
        code: code ?? '',
        referralId: found?.referral?.id ?? null,
        ownerId: owner?.id === userId ? null : (owner?.id ?? null),
        state: reason ? 'refused' : 'waiting',
        reason,
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (noted) await write.emit('referral.used', { user_id: userId, owner_id: noted.ownerId, state: noted.state });
  });
}

function reasonAgainst(
  ctx: Context,
  user: PlannedUser,
  owner: PlannedUser | null,
  referral: ReferralRow | null,
  isKnownDevice: boolean,
): Reason | null {
  if (owner && (owner.id === user.id || (user.email && mailbox(owner.email) === mailbox(user.email))))
    return 'own_code';
  if (isKnownDevice) return 'known_device';
  if (referral && (!referral.isEnabled || (referral.expiresAt && referral.expiresAt <= ctx.now()))) return 'ended_code';
  if (!referral && owner?.suspendedAt) return 'ended_account';
  return null;
}

/** An address that nobody confirmed may be anybody's; where no mail is delivered, none can be. */
const isProven = (ctx: Context, { email, emailConfirmedAt }: PlannedUser) =>
  email === null || emailConfirmedAt !== null || !ctx.config.mail.isDelivered;

/** What somebody gets for coming, and who brought them; once, whatever is repeated. */
export async function matchReferral(ctx: Context, userId: string): Promise<void> {
  await ctx.write(async (write) => {
    const user = await findUser(write.tx, userId);
    if (!user || user.isGuest || user.suspendedAt || !isProven(ctx, user)) return;
    const settings = await settingsOf(write.tx);
    const [use = null] = await write.tx
      .select()
      .from(referralUses)
      .where(eq(referralUses.userId, userId))
      .for('update');
    if (!use || use.matchedAt) return;
    if (settings.welcomeUnits > 0 && use.reason !== 'known_device')
      await bonus(ctx, write, userId, settings.welcomeUnits, `welcome:${userId}`, 'Welcome');
    if (use.state !== 'waiting') {
      await write.tx.update(referralUses).set({ matchedAt: ctx.now() }).where(eq(referralUses.userId, userId));
      return;
    }
    const [referral = null] = use.referralId
      ? await write.tx.select().from(referrals).where(eq(referrals.id, use.referralId))
      : [];
    const units = referral ? referral.units : use.ownerId ? settings.invitedUnits : 0;
    if (units > 0) await bonus(ctx, write, userId, units, `referral:${userId}`, `Code ${use.code}`);
    if (referral) await give(ctx, write, user, referral);
    const earned = await earn(ctx, write, use, settings.inviterUnits);
    await write.tx
      .update(referralUses)
      .set({
        state: 'matched',
        units,
        ownerUnits: earned?.units ?? 0,
        ownerTransactionId: earned?.transactionId ?? null,
        matchedAt: ctx.now(),
      })
      .where(eq(referralUses.userId, userId));
    await write.emit('referral.used', { user_id: userId, owner_id: use.ownerId, state: 'matched' });
  });
}

const bonus = (ctx: Context, write: Write, userId: string, amount: number, key: string, note: string) =>
  moveUnits(ctx, write, { userId, amount, kind: 'welcoming_bonus', key, note });

async function earn(ctx: Context, write: Write, { userId, ownerId }: ReferralUseRow, units: number) {
  const owner = ownerId ? await findUser(write.tx, ownerId) : null;
  if (!owner || owner.suspendedAt || units === 0) return null;
  const { transactionId } = await moveUnits(ctx, write, {
    userId: owner.id,
    amount: units,
    kind: 'referral',
    key: `referral:${userId}:owner`,
    referenceId: userId,
    note: 'A person signed up by your link',
  });
  return { units, transactionId };
}

/** What else a code brings: a plan for some days, roles, a kernel, a team. */
async function give(ctx: Context, write: Write, user: PlannedUser, referral: ReferralRow): Promise<void> {
  const { ratePlanId, trialDays: days, units, defaultKernel, teamId, code } = referral;
  const { tx } = write;
  const roleIds = referral.roleIds.length
    ? (await tx.select({ id: roles.id }).from(roles).where(inArray(roles.id, referral.roleIds))).map(({ id }) => id)
    : [];
  const isTrial =
    ratePlanId !== null && days !== null
      ? await startTrial(ctx, write, { userId: user.id, ratePlanId, days, units, roleIds })
      : false;
  if (isTrial) await tx.update(users).set({ trialSignupCode: code }).where(eq(users.id, user.id));
  else if (roleIds.length > 0)
    await tx
      .insert(userRoles)
      .values(roleIds.map((roleId) => ({ userId: user.id, roleId })))
      .onConflictDoNothing();
  if (defaultKernel)
    await tx.insert(kernelChoices).values({ userId: user.id, kernel: defaultKernel }).onConflictDoNothing();
  if (teamId && (await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, teamId))).length > 0)
    await addMember(ctx, write, teamId, user.id, { role: 'member' });
}

/** For admins who suspend or delete an account: what another person earned by it is booked back, if it is still there. */
export async function cancelReferral(ctx: Context, userId: string): Promise<void> {
  await ctx.write(async (write) => {
    const [use] = await write.tx
      .select()
      .from(referralUses)
      .where(and(eq(referralUses.userId, userId), inArray(referralUses.state, ['waiting', 'matched'])))
      .for('update');
    if (!use) return;
    if (use.ownerTransactionId)
      await write.tx
        .transaction((tx) =>
          reverseMove(ctx, { ...write, tx }, use.ownerTransactionId ?? '', 'The account was cancelled'),
        )
        .catch((error: unknown) => {
          if (!(error instanceof NotEnoughUnits)) throw error;
        });
    await write.tx
      .update(referralUses)
      .set({ state: 'refused', reason: 'ended_account', ownerUnits: 0 })
      .where(eq(referralUses.userId, userId));
    await write.emit('referral.used', { user_id: userId, owner_id: use.ownerId, state: 'refused' });
  });
}
