import type { BillingPeriod, PlanName, subscriptionEventKinds } from '@atoll/contract';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** What plans cost and how they are shown. What they include is by name, where quota and flags look it up. */
export const ratePlans = pgTable(
  'rate_plans',
  {
    id: primaryId(),
    name: text('name').$type<PlanName>().notNull(),
    title: text('title').notNull(),
    position: integer('position').notNull(),
    /** Null is by agreement. */
    price: integer('price'),
    annualPrice: integer('annual_price'),
    isHighlighted: boolean('is_highlighted').notNull().default(false),
    details: jsonb('details').$type<string[]>().notNull().default([]),
    /** Whoever has it keeps it; it is not offered any more. */
    withdrawnAt: time('withdrawn_at'),
  },
  (table) => [uniqueIndex('rate_plans_name').on(table.name)],
);
export type RatePlanRow = typeof ratePlans.$inferSelect;

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** One for each person who pays; without one, the plan is the default or by agreement. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: primaryId(),
    userId: userId(),
    ratePlanId: uuid('rate_plan_id')
      .notNull()
      .references(() => ratePlans.id),
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
    ratePlanId: uuid('rate_plan_id')
      .notNull()
      .references(() => ratePlans.id),
    period: text('period').$type<BillingPeriod>().notNull(),
    amount: integer('amount').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('subscription_changes_newest').on(table.userId, table.id.desc())],
);
