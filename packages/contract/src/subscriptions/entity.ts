import { z } from 'zod';
import { featureNames, planFeatures } from '../features.ts';
import { id, line, time } from '../fields.ts';
import { computeTiers } from '../plans.ts';
import { mostUnits } from '../wallet/values.ts';

export const billingPeriods = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

const price = z.int().min(0).nullable().describe('In units; null is by agreement');

/** The spec's Rate plan. */
export const ratePlan = z.object({
  id,
  name: z.string().describe('Stands for the plan; it never changes'),
  title: z.string(),
  max_number_of_projects: z.int().nullable().describe('null is without limit'),
  max_execution_time: z.int().nullable().describe('A month, in seconds; null is without limit'),
  longest_run: z.int().nullable().describe('In seconds; null is without limit'),
  tier: z.enum(computeTiers),
  cores: z.int(),
  memory_bytes: z.int(),
  highlighted: z.boolean(),
  price,
  annual_price: price,
  details: z.array(z.string()),
  features: z.array(z.enum(featureNames)).describe('Feature flags that the plan includes'),
  roles: z.array(z.string()).describe('Ids of the roles that people have with it'),
  is_withdrawn: z.boolean().describe('No longer offered; those who have it keep it'),
});
export type RatePlan = z.infer<typeof ratePlan>;

const hour = 3_600;
const wholeHours = z
  .int()
  .min(hour)
  .max(100_000 * hour)
  .multipleOf(hour, 'Must be whole hours, in seconds')
  .nullable();
const ownPrice = z.int().min(0).max(mostUnits).nullable();
export const roundHours = (seconds: number | null) => (seconds === null ? null : Math.floor(seconds / hour));

/** What an admin says about a plan. */
export const ratePlanFields = z.strictObject({
  title: line(60).min(1, 'Give the plan a title'),
  price: ownPrice,
  annual_price: ownPrice,
  max_number_of_projects: z.int().min(1).max(1_000_000).nullable(),
  max_execution_time: wholeHours,
  longest_run: wholeHours,
  tier: z.enum(computeTiers),
  highlighted: z.boolean().default(false),
  details: z.array(line(120).min(1)).max(20).default([]),
  features: z
    .array(z.enum(featureNames))
    .default([...planFeatures])
    .describe('That the plan includes; all, unless named'),
  roles: z.array(id).max(50).default([]),
});
export type RatePlanFields = z.infer<typeof ratePlanFields>;

const someUnits = z.int().min(0).max(1_000_000);

/** What admins set for all plans, in units. */
export const billingSettingFields = z.strictObject({
  extension_hour_price: z.int().min(1).max(1_000_000).describe('For an hour of execution time beyond the plan'),
  welcome_units: someUnits.describe('For everyone who creates an account'),
  invited_units: someUnits.describe('For who creates an account by the link of another person'),
  inviter_units: someUnits.describe('For that person'),
});
export type BillingSettings = z.infer<typeof billingSettingFields>;

/** The spec's Subscription. */
export const subscription = z.object({
  id: id.nullable().describe('null without a subscription'),
  plan: ratePlan,
  period: z.enum(billingPeriods).nullable(),
  expiration: time.nullable().describe('Until when the plan is yours without another payment'),
  next_billing: time.nullable(),
  canceled_at: time.nullable(),
  next_plan: ratePlan.nullable().describe('From the next billing on'),
  next_period: z.enum(billingPeriods).nullable(),
  is_default: z.boolean(),
  is_trial: z.boolean().describe('Without payment, until `expiration`'),
});
export type Subscription = z.infer<typeof subscription>;

export const planChange = z.object({
  kind: z.enum(['none', 'keep', 'upgrade', 'downgrade', 'cancel']),
  amount: z.int().describe('What it costs now, in units; below zero is paid back'),
  effective_at: time,
  balance: z.int().describe('What you have'),
  projects_over: z.int().describe('Projects that the plan has no room for; they stay'),
  message: z.string(),
});
export type PlanChange = z.infer<typeof planChange>;

export const subscriptionEventKinds = [
  'upgrade',
  'downgrade',
  'cancel',
  'keep',
  'renewal',
  'payment_due',
  'ended',
  'trial',
  'trial_ended',
  'assigned',
] as const;

export const subscriptionEvent = z.object({
  id,
  kind: z.enum(subscriptionEventKinds),
  plan: z.string(),
  period: z.enum(billingPeriods),
  amount: z.int().describe('What was paid, in units; below zero was paid back'),
  date: time,
});
