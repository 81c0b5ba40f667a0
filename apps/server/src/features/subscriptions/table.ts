import { type BillingPeriod, billingPeriods, type subscriptionEventKinds } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, oneOf, primaryId, time } from '../../platform/db/columns.ts';
import { ratePlans } from '../plans/table.ts';
import { users } from '../users/table.ts';

const userId = () => belongsTo('user_id', () => users.id);
const ratePlanId = () =>
  uuid('rate_plan_id')
    .notNull()
    .references(() => ratePlans.id);

/** One for each person who pays; without one, the plan is the default or by agreement. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: primaryId(),
    userId: userId(),
    ratePlanId: ratePlanId(),
    period: text('period').$type<BillingPeriod>().notNull(),
    /** All periods are counted from it: added to the one before, the 31st would become the 28th for good. */
    anchorAt: time('anchor_at').notNull(),
    periodStartedAt: time('period_started_at').notNull(),
    nextBillingAt: time('next_billing_at').notNull(),
    /** For the present period, in units. */
    paid: integer('paid').notNull(),
    nextPlanId: uuid('next_plan_id').references(() => ratePlans.id),
    nextPeriod: text('next_period').$type<BillingPeriod>(),
    canceledAt: time('canceled_at'),
    /** Set while a renewal waits for units. */
    graceUntil: time('grace_until'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    check('subscriptions_period', oneOf(table.period, billingPeriods)),
    check('subscriptions_paid', sql`${table.paid} >= 0`),

    index('subscriptions_next_plan').on(table.nextPlanId).where(sql`${table.nextPlanId} is not null`),
    index('subscriptions_rate_plan').on(table.ratePlanId),
    uniqueIndex('subscriptions_user').on(table.userId),
    index('subscriptions_billing').on(table.nextBillingAt),
  ],
);
export type SubscriptionRow = typeof subscriptions.$inferSelect;

export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    id: primaryId(),
    userId: userId(),
    kind: text('kind').$type<(typeof subscriptionEventKinds)[number]>().notNull(),
    ratePlanId: ratePlanId(),
    period: text('period').$type<BillingPeriod>().notNull(),
    amount: integer('amount').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('subscription_changes_rate_plan').on(table.ratePlanId),
    index('subscription_changes_newest').on(table.userId, table.id.desc()),
  ],
);

/** A plan for some days without payment. Each person has at most one, ever. */
export const trials = pgTable(
  'trials',
  {
    userId: userId().primaryKey(),
    ratePlanId: ratePlanId(),
    days: integer('days').notNull(),
    startedAt: time('started_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    extendedAt: time('extended_at'),
    extensionDays: integer('extension_days'),
    /** Units that came with it: what is left of them ends with it. */
    units: integer('units').notNull().default(0),
    roleIds: jsonb('role_ids').$type<string[]>().notNull().default([]),
    endedAt: time('ended_at'),
    endReason: text('end_reason').$type<'expired' | 'subscribed' | 'ended'>(),
  },
  (table) => [index('trials_rate_plan').on(table.ratePlanId), index('trials_expiry').on(table.expiresAt)],
);
export type TrialRow = typeof trials.$inferSelect;
