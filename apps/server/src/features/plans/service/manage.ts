import { planFeatures, type RatePlan, type RatePlanFields, roundHours } from '@atoll/contract';
import { eq, inArray, max } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { roles } from '../../users/table.ts';
import { type RatePlanRow, ratePlans } from '../table.ts';
import { ratePlanView } from '../view.ts';
import { isDefault } from './plans.ts';

/** For admins. A new plan stands last, and nobody has it yet. */
export async function createPlan(ctx: Context, fields: RatePlanFields): Promise<RatePlan> {
  return ctx.write(async (write) => {
    const [last] = await write.tx.select({ position: max(ratePlans.position) }).from(ratePlans);
    const values = await checked(write, fields, false);
    const name = newId();
    const [row] = await write.tx
      .insert(ratePlans)
      .values({ ...values, name, position: (last?.position ?? 0) + 1 })
      .returning();
    return changed(write, row);
  });
}

/** Counts at once for everyone who has the plan; a price from the next billing on. */
export async function updatePlan(ctx: Context, id: string, fields: Partial<RatePlanFields>): Promise<RatePlan> {
  return ctx.write(async (write) => {
    const plan = await lockPlan(write, id);
    const { features, roles: roleNames, ...before } = ratePlanView(plan);
    const { title, highlighted, details, price, annual_price } = before;
    const merged = {
      title,
      highlighted,
      details,
      price,
      annual_price,
      max_number_of_projects: before.max_number_of_projects,
      max_execution_time: before.max_execution_time,
      longest_run: before.longest_run,
      tier: plan.tier,
      features,
      roles: roleNames,
      ...fields,
    };
    const [row] = await write.tx
      .update(ratePlans)
      .set(await checked(write, merged, isDefault(plan)))
      .where(eq(ratePlans.id, id))
      .returning();
    return changed(write, row);
  });
}

/** Those who have it keep it, and it is renewed for them; it is offered again by `isOffered`. */
export async function withdrawPlan(ctx: Context, id: string, { isOffered = false } = {}): Promise<RatePlan> {
  return ctx.write(async (write) => {
    const plan = await lockPlan(write, id);
    if (isDefault(plan) && !isOffered)
      throw new AppError('conflict', `${plan.title} is what everyone else has. It cannot be withdrawn.`);
    const withdrawnAt = isOffered ? null : (plan.withdrawnAt ?? ctx.now());
    const [row] = await write.tx.update(ratePlans).set({ withdrawnAt }).where(eq(ratePlans.id, id)).returning();
    return changed(write, row);
  });
}

async function lockPlan({ tx }: Write, id: string): Promise<RatePlanRow> {
  const [plan] = await tx.select().from(ratePlans).where(eq(ratePlans.id, id)).for('update');
  if (!plan) throw notFound('This plan');
  return plan;
}

async function checked({ tx }: Write, fields: RatePlanFields, isFree: boolean) {
  const { price, annual_price: annualPrice } = fields;
  if (isFree ? price !== 0 || annualPrice !== 0 : price === 0 || annualPrice === 0)
    throw invalidField('price', isFree ? 'The default plan is free' : 'Only the default plan is free');
  if ((price === null) !== (annualPrice === null))
    throw invalidField('annual_price', 'A plan is by agreement for both a month and a year, or for neither');
  const known = fields.roles.length > 0 ? await tx.select().from(roles).where(inArray(roles.id, fields.roles)) : [];
  if (known.length < new Set(fields.roles).size) throw invalidField('roles', 'Must be roles that exist');
  return {
    title: fields.title,
    isHighlighted: fields.highlighted,
    details: fields.details,
    price,
    annualPrice,
    maxProjects: fields.max_number_of_projects,
    executionHours: roundHours(fields.max_execution_time),
    longestRunHours: roundHours(fields.longest_run),
    tier: fields.tier,
    features: Object.fromEntries(
      planFeatures.filter((name) => !fields.features.includes(name)).map((name) => [name, false]),
    ),
    roleIds: [...new Set(fields.roles)],
  };
}

async function changed({ emit }: Write, row: RatePlanRow | undefined): Promise<RatePlan> {
  if (!row) throw notFound('This plan');
  await emit('rate_plan.changed', { rate_plan_id: row.id, name: row.name });
  return ratePlanView(row);
}
