import { type BillingPeriod, planNames, planPrices, type RatePlan } from '@atoll/contract';
import { asc, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { type RatePlanRow, ratePlans } from '../table.ts';
import { ratePlanView } from '../view.ts';

/** What is there already is the admins'. */
export async function seedPlans(ctx: Context): Promise<void> {
  const seeds = planNames.map((name, position) => ({
    name,
    title: name,
    position,
    price: planPrices[name].monthly,
    annualPrice: planPrices[name].yearly,
    isHighlighted: name === 'Pro',
  }));
  await ctx.db.insert(ratePlans).values(seeds).onConflictDoNothing();
}

export async function listPlans(ctx: Context): Promise<{ entries: RatePlan[] }> {
  const rows = await ctx.db
    .select()
    .from(ratePlans)
    .where(isNull(ratePlans.withdrawnAt))
    .orderBy(asc(ratePlans.position));
  return { entries: rows.map(ratePlanView) };
}

type Reader = Database | Transaction;

export async function planById(db: Reader, id: string): Promise<RatePlanRow | null> {
  const [row] = await db.select().from(ratePlans).where(eq(ratePlans.id, id));
  return row ?? null;
}

/** Seeded at the start and never deleted. */
export async function planByName(db: Reader, name: RatePlanRow['name']): Promise<RatePlanRow> {
  const [row] = await db.select().from(ratePlans).where(eq(ratePlans.name, name));
  if (!row) throw new Error(`There is no plan ${name}`);
  return row;
}

export const priceAt = ({ price, annualPrice }: RatePlanRow, period: BillingPeriod): number =>
  (period === 'yearly' ? annualPrice : price) ?? 0;
