import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { empty, id, list, page, time } from '../fields.ts';
import { billingPeriods, planChange, ratePlan, subscription, subscriptionEvent } from './entity.ts';

const tag = 'Plans';
const wanted = z.strictObject({ rate_plan_id: id, period: z.enum(billingPeriods).default('monthly') });

export const subscriptionEndpoints = {
  plans: endpoint('GET', '/v1/rate_plans', { permission: 'rate_plan.list', tag, summary: 'The plans on offer' })
    .input(empty)
    .output(z.object({ entries: z.array(ratePlan) })),

  get: endpoint('GET', '/v1/rate_plan_subscription', {
    permission: 'subscription.view',
    tag,
    summary: 'Your subscription',
  })
    .input(empty)
    .output(subscription),

  preview: endpoint('GET', '/v1/rate_plan_subscription/preview', {
    permission: 'subscription.view',
    tag,
    flag: 'wallet',
    summary: 'What changing to a plan would cost and change',
  })
    .input(wanted)
    .output(planChange),

  subscribe: endpoint('POST', '/v1/rate_plan_subscription', {
    permission: 'subscription.edit',
    tag,
    flag: 'wallet',
    keyScope: 'never',
    summary: 'Change to a plan',
    description:
      'A larger plan, or a year instead of a month, begins at once: the unused part of what was paid is deducted. Everything else begins at the next billing. The free plan cancels the subscription; the present plan takes back a change that has not begun.',
  })
    .input(wanted)
    .output(z.object({ subscription, change: planChange })),

  history: endpoint('GET', '/v1/rate_plan_subscription/history', {
    permission: 'subscription.view',
    tag,
    summary: 'What happened to your subscription, newest first',
  })
    .input(z.strictObject({ page: page(1), page_size: page(10, 100) }))
    .output(list(subscriptionEvent)),

  stats: endpoint('GET', '/v1/me/subscription_stats', {
    permission: 'subscription.view',
    tag,
    summary: 'How much of your plan you use',
  })
    .input(empty)
    .output(
      z.object({
        plan: z.string(),
        is_default: z.boolean(),
        execution_used: z.int(),
        execution_total: z.int().nullable(),
        projects_used: z.int(),
        projects_total: z.int().nullable(),
        next_billing: time.nullable(),
        units_spent: z.int().describe('On plans, in all, less what was paid back'),
      }),
    ),
};
