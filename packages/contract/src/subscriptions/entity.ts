import { z } from 'zod';
import { id, time } from '../fields.ts';
import { planNames } from '../plans.ts';

export const billingPeriods = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

const price = z.int().min(0).nullable().describe('In units; null is by agreement');

/** The spec's Rate plan. */
export const ratePlan = z.object({
  id,
  name: z.enum(planNames),
  title: z.string(),
  max_number_of_projects: z.int().nullable().describe('null is without limit'),
  max_execution_time: z.int().nullable().describe('A month, in seconds; null is without limit'),
  longest_run: z.int().nullable().describe('In seconds; null is without limit'),
  cores: z.int(),
  memory_bytes: z.int(),
  highlighted: z.boolean(),
  price,
  annual_price: price,
  details: z.array(z.string()),
  features: z.array(z.string()).describe('Feature flags that are off in this plan'),
  roles: z.array(z.string()),
});
export type RatePlan = z.infer<typeof ratePlan>;

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
] as const;

export const subscriptionEvent = z.object({
  id,
  kind: z.enum(subscriptionEventKinds),
  plan: z.string(),
  period: z.enum(billingPeriods),
  amount: z.int().describe('What was paid, in units; below zero was paid back'),
  date: time,
});
