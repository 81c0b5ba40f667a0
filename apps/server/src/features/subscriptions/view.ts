import { defaultPlan, type Subscription } from '@atoll/contract';
import type { RatePlanRow } from '../plans/table.ts';
import { ratePlanView } from '../plans/view.ts';
import type { SubscriptionRow } from './table.ts';

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
  is_default: plan.name === defaultPlan,
});
