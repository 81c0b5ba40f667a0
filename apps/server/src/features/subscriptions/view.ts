import {
  planExecutionHours,
  planFeatures,
  planLongestRunHours,
  planProjects,
  planTier,
  type RatePlan,
  type Subscription,
  tierResources,
} from '@atoll/contract';
import type { RatePlanRow, SubscriptionRow } from './table.ts';

const seconds = (hours: number | null) => (hours === null ? null : hours * 3_600);

export function ratePlanView(row: RatePlanRow): RatePlan {
  const { cores, memoryBytes } = tierResources[planTier[row.name]];
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    max_number_of_projects: planProjects[row.name],
    max_execution_time: seconds(planExecutionHours[row.name]),
    longest_run: seconds(planLongestRunHours[row.name]),
    cores,
    memory_bytes: memoryBytes,
    highlighted: row.isHighlighted,
    price: row.price,
    annual_price: row.annualPrice,
    details: row.details,
    features: Object.entries(planFeatures[row.name]).flatMap(([name, isOn]) => (isOn === false ? [name] : [])),
    roles: [],
  };
}

export const subscriptionView = (
  row: SubscriptionRow | null,
  plan: RatePlanRow,
  nextPlan: RatePlanRow | null,
): Subscription => ({
  id: row?.id ?? null,
  plan: ratePlanView(plan),
  period: row?.period ?? null,
  expiration: (row?.graceUntil ?? row?.nextBillingAt)?.toISOString() ?? null,
  next_billing: row && !row.canceledAt ? row.nextBillingAt.toISOString() : null,
  canceled_at: row?.canceledAt?.toISOString() ?? null,
  next_plan: nextPlan && ratePlanView(nextPlan),
  next_period: row?.nextPeriod ?? null,
  is_default: plan.name === 'Free',
});
