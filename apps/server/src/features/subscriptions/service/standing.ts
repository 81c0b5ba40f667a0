import { defaultPlan, type Subscription } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { planById, planByName } from '../../plans/service/plans.ts';
import type { RatePlanRow } from '../../plans/table.ts';
import { projectCount } from '../../projects/service/write.ts';
import { type UserRow, users } from '../../users/table.ts';
import { type SubscriptionRow, subscriptions, type TrialRow, trials } from '../table.ts';
import { subscriptionView } from '../view.ts';

/** Somebody and what they have subscribed to. */
export interface Standing {
  user: UserRow;
  row: SubscriptionRow | null;
  plan: RatePlanRow;
  nextPlan: RatePlanRow | null;
  /** Of a trial that has not ended: then the plan is its. */
  trial: TrialRow | null;
  projectCount: number;
}

/** Locked where it is changed: the person first, as wherever units are moved. */
export async function standingOf(db: Database | Transaction, userId: string, isLocked = false): Promise<Standing> {
  const person = db.select().from(users).where(eq(users.id, userId));
  const [user] = await (isLocked ? person.for('update') : person);
  if (!user) throw notFound('This person');
  const [row = null] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  const plan = (row && (await planById(db, row.ratePlanId))) ?? (await planByName(db, user.plan));
  const [trial = null] = row
    ? []
    : await db
        .select()
        .from(trials)
        .where(and(eq(trials.userId, userId), isNull(trials.endedAt)));
  const nextPlan = row?.nextPlanId
    ? await planById(db, row.nextPlanId)
    : trial
      ? await planByName(db, defaultPlan)
      : null;
  return { user, row, plan, nextPlan, trial, projectCount: await projectCount(db, userId) };
}

export async function subscriptionOf(db: Database | Write['tx'], userId: string): Promise<Subscription> {
  return subscriptionView(await standingOf(db, userId));
}
