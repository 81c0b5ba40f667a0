import { type BillingPeriod, defaultPlan, planNames, type RatePlan, seededPlans } from '@atoll/contract';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { type RatePlanRow, ratePlans } from '../table.ts';
import { ratePlanView } from '../view.ts';

/** What is there already is the admins'; only rows from before there were limits get theirs. */
export async function seedPlans(ctx: Context): Promise<void> {
  for (const [position, name] of planNames.entries()) {
    const {
      price,
      annualPrice,
      projects: maxProjects,
      executionHours,
      longestRunHours,
      tier,
      features,
    } = seededPlans[name];
    const limits = { maxProjects, executionHours, longestRunHours, tier, features };
    await ctx.db
      .insert(ratePlans)
      .values({ name, title: name, position, price, annualPrice, isHighlighted: name === 'Pro', ...limits })
      .onConflictDoUpdate({
        target: ratePlans.name,
        set: limits,
        setWhere: and(eq(ratePlans.maxProjects, 0), eq(ratePlans.executionHours, 0)),
      });
  }
}

export async function listPlans(ctx: Context, { isAll = false } = {}): Promise<{ entries: RatePlan[] }> {
  const rows = await ctx.db
    .select()
    .from(ratePlans)
    .where(isAll ? undefined : isNull(ratePlans.withdrawnAt))
    .orderBy(asc(ratePlans.position), asc(ratePlans.id));
  return { entries: rows.map(ratePlanView) };
}

type Reader = Database | Transaction;

export async function planById(db: Reader, id: string): Promise<RatePlanRow | null> {
  const [row] = await db.select().from(ratePlans).where(eq(ratePlans.id, id));
  return row ?? null;
}

/** Plans are withdrawn, never deleted. */
export async function planByName(db: Reader, name: string): Promise<RatePlanRow> {
  const [row] = await db.select().from(ratePlans).where(eq(ratePlans.name, name));
  if (!row) throw new Error(`There is no plan ${name}`);
  return row;
}

/** What everyone has who has nothing else. */
export const isDefault = ({ name }: Pick<RatePlanRow, 'name'>): boolean => name === defaultPlan;

export const priceAt = ({ price, annualPrice }: RatePlanRow, period: BillingPeriod): number =>
  (period === 'yearly' ? annualPrice : price) ?? 0;
