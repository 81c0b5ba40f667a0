import type { Paging, ReferralDashboard, ReferredPerson } from '@atoll/contract';
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { settingsOf } from '../../plans/service/settings.ts';
import { requireSelf } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { referrals, referralUses } from '../table.ts';
import { referralUrl } from '../view.ts';
import { referralById, referralsWhere } from './codes.ts';

export async function dashboard(ctx: Context): Promise<ReferralDashboard> {
  const self = await requireSelf(ctx);
  const settings = await settingsOf(ctx.db);
  const isMatched = sql`${referralUses.state} = 'matched'`;
  const [counts] = await ctx.db
    .select({
      people: count(),
      matched: sql<number>`(count(*) filter (where ${isMatched}))::int`,
      units: sql<number>`coalesce(sum(${referralUses.ownerUnits}) filter (where ${isMatched}), 0)::int`,
    })
    .from(referralUses)
    .where(eq(referralUses.ownerId, self.id));
  const code = self.referralCode ?? '';
  return {
    code,
    url: referralUrl(ctx, code),
    invited_units: settings.invitedUnits,
    inviter_units: settings.inviterUnits,
    people: counts?.people ?? 0,
    people_matched: counts?.matched ?? 0,
    units_earned: counts?.units ?? 0,
    codes: await referralsWhere(ctx, eq(referrals.ownerId, self.id)),
  };
}

export const referredPeople = (ctx: Context, page: Paging) =>
  peopleWhere(ctx, eq(referralUses.ownerId, ctx.actor.userId ?? nobody), page, { isAdmin: false });

/** For admins: who signed up with a code. */
export async function referralPeople(ctx: Context, referralId: string, page: Paging) {
  const { id } = await referralById(ctx, referralId);
  return peopleWhere(ctx, eq(referralUses.referralId, id), page, { isAdmin: true });
}

async function peopleWhere(ctx: Context, where: SQL, { page, page_size }: Paging, { isAdmin }: { isAdmin: boolean }) {
  const rows = await ctx.db
    .select({ use: referralUses, user: { id: users.id, user_name: users.userName }, isOpen: users.isDiscoverable })
    .from(referralUses)
    .innerJoin(users, eq(users.id, referralUses.userId))
    .where(and(where))
    .orderBy(desc(referralUses.createdAt), desc(referralUses.userId))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(referralUses, where);
  const entries = rows.map(
    ({ use, user, isOpen }): ReferredPerson => ({
      user: isAdmin || isOpen ? user : null,
      code: use.code,
      state: use.state,
      reason: use.reason,
      units: use.ownerUnits,
      date: use.createdAt.toISOString(),
    }),
  );
  return { entries, page, page_size, total };
}
