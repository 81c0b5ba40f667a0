import type { ComputeTier, FeatureOverrides, PlanLimits } from '@atoll/contract';
import { type Column, sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';

/** What plans cost, include and say. `users.plan` has the name, so a change counts at once for whoever has the plan. */
export const ratePlans = pgTable(
  'rate_plans',
  {
    id: primaryId(),
    /** Never changes: it stands for the plan everywhere. */
    name: text('name').notNull(),
    title: text('title').notNull(),
    position: integer('position').notNull(),
    /** Null is by agreement. */
    price: integer('price'),
    annualPrice: integer('annual_price'),
    // Null is without limit. Nothing of both is what a row has from before there were limits in it.
    maxProjects: integer('max_projects').default(0),
    executionHours: integer('execution_hours').default(0),
    longestRunHours: integer('longest_run_hours').default(0),
    tier: text('tier').$type<ComputeTier>().notNull().default('l1'),
    features: jsonb('features').$type<FeatureOverrides>().notNull().default({}),
    /** Of those who have it. */
    roleIds: jsonb('role_ids').$type<string[]>().notNull().default([]),
    isHighlighted: boolean('is_highlighted').notNull().default(false),
    details: jsonb('details').$type<string[]>().notNull().default([]),
    /** Whoever has it keeps it; it is not offered any more. */
    withdrawnAt: time('withdrawn_at'),
  },
  (table) => [uniqueIndex('rate_plans_name').on(table.name)],
);
export type RatePlanRow = typeof ratePlans.$inferSelect;

export interface OwnPlan extends PlanLimits {
  title: string;
}

/** Of the plan a column names, in the query that reads it. */
export const planColumn = (name: Column) => sql<OwnPlan | null>`(
  select jsonb_build_object('title', p.title, 'projects', p.max_projects, 'executionHours', p.execution_hours,
    'longestRunHours', p.longest_run_hours, 'tier', p.tier, 'features', p.features)
  from ${ratePlans} p where p.name = ${name})`;

/** What admins set for all plans; one row, made when something is changed. */
export const billingSettings = pgTable('billing_settings', {
  id: text('id').$type<'only'>().primaryKey(),
  /** Units for an hour of execution beyond the plan's. */
  extensionHourPrice: integer('extension_hour_price').notNull(),
  /** Units for everyone who signs up. */
  welcomeUnits: integer('welcome_units').notNull(),
  /** Units for who signs up by another person's link, and for that person. */
  invitedUnits: integer('invited_units').notNull(),
  inviterUnits: integer('inviter_units').notNull(),
});
