import { type Paging, type Referral, type ReferralFields, referralFields } from '@atoll/contract';
import { desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { isUniqueViolation } from '../../../platform/db/database.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { planById } from '../../plans/service/plans.ts';
import { teams } from '../../teams/table.ts';
import { findUser } from '../../users/service.ts';
import { roles, users } from '../../users/table.ts';
import { referrals, referralUses } from '../table.ts';
import { referralView } from '../view.ts';

const usesOf = (state?: string) =>
  sql<number>`(select count(*)::int from ${referralUses} u where u.referral_id = ${referrals.id}${state ? sql` and u.state = ${state}` : sql``})`;

/** With whom they belong to and how many used them. */
export async function referralsWhere(
  ctx: Context,
  where: SQL | undefined,
  { page = 1, page_size = 100 }: { page?: number; page_size?: number } = {},
): Promise<Referral[]> {
  const rows = await ctx.db
    .select({
      row: referrals,
      owner: { id: users.id, user_name: users.userName },
      people: usesOf(),
      matched: usesOf('matched'),
    })
    .from(referrals)
    .leftJoin(users, eq(users.id, referrals.ownerId))
    .where(where)
    .orderBy(desc(referrals.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  return rows.map((row) => referralView(ctx, row));
}

/** For admins. */
export async function listReferrals(ctx: Context, { page, page_size }: Paging) {
  const total = await ctx.db.$count(referrals);
  const entries = await referralsWhere(ctx, undefined, { page, page_size });
  return { entries, page, page_size, total };
}

export async function referralById(ctx: Context, id: string): Promise<Referral> {
  const [found] = await referralsWhere(ctx, eq(referrals.id, id));
  if (!found) throw notFound('This code');
  return found;
}

/** For admins. */
export async function createReferral(ctx: Context, fields: ReferralFields): Promise<Referral> {
  const id = await ctx
    .write(async (write) => {
      const values = { ...(await checked(write, fields)), createdAt: ctx.now() };
      const [row] = await write.tx.insert(referrals).values(values).returning();
      await write.emit('referral.changed', { referral_id: row?.id ?? '' });
      return row?.id ?? '';
    })
    .catch(taken);
  return referralById(ctx, id);
}

/** For admins. Those who signed up with it keep what they got. */
export async function updateReferral(ctx: Context, id: string, update: Partial<ReferralFields>): Promise<Referral> {
  const { owner, ...before } = await referralById(ctx, id);
  const known = Object.keys(referralFields.shape) as (keyof ReferralFields)[];
  const all = { ...before, owner_id: owner?.id ?? null, ...update };
  const fields = Object.fromEntries(known.map((name) => [name, all[name]])) as ReferralFields;
  await ctx
    .write(async (write) => {
      await write.tx
        .update(referrals)
        .set(await checked(write, fields))
        .where(eq(referrals.id, id));
      await write.emit('referral.changed', { referral_id: id });
    })
    .catch(taken);
  return referralById(ctx, id);
}

/** For admins. */
export async function deleteReferral(ctx: Context, id: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const [gone] = await tx.delete(referrals).where(eq(referrals.id, id)).returning();
    if (!gone) throw notFound('This code');
    await emit('referral.changed', { referral_id: id });
  });
}

const taken = (error: unknown): never => {
  throw isUniqueViolation(error, 'referrals_code') ? invalidField('code', 'This code is taken') : error;
};

async function checked({ tx }: Write, fields: ReferralFields) {
  const { code, rate_plan_id, trial_days, team_id, owner_id } = fields;
  const [own] = await tx.select({ id: users.id }).from(users).where(eq(users.referralCode, code.toUpperCase()));
  if (own) throw invalidField('code', 'This code is taken');
  if ((rate_plan_id === null) !== (trial_days === null))
    throw invalidField('trial_days', 'A plan and the days of its trial belong together');
  if (rate_plan_id && !(await planById(tx, rate_plan_id))) throw invalidField('rate_plan_id', 'Must be a plan');
  if (team_id && (await tx.select().from(teams).where(eq(teams.id, team_id))).length === 0)
    throw invalidField('team_id', 'Must be a team');
  if (owner_id && (await findUser(tx, owner_id))?.isGuest !== false) throw invalidField('owner_id', 'Must be a person');
  const known = fields.roles.length > 0 ? await tx.select().from(roles).where(inArray(roles.id, fields.roles)) : [];
  if (known.length < new Set(fields.roles).size) throw invalidField('roles', 'Must be roles that exist');
  return {
    code,
    units: fields.units,
    isEnabled: fields.enabled,
    roleIds: [...new Set(fields.roles)],
    ratePlanId: rate_plan_id,
    trialDays: trial_days,
    defaultKernel: fields.default_kernel,
    teamId: team_id,
    ownerId: owner_id,
    expiresAt: fields.expires_at === null ? null : new Date(fields.expires_at),
  };
}
