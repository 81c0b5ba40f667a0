import { defaultPlan, type Subscription } from '@atoll/contract';
import type { RatePlanRow } from '../plans/table.ts';
import { ratePlanView } from '../plans/view.ts';
import type { SubscriptionRow, TrialRow } from './table.ts';

interface Standing {
  row: SubscriptionRow | null;
  plan: RatePlanRow;
  nextPlan: RatePlanRow | null;
  trial: TrialRow | null;
}

export const billingDates = (row: SubscriptionRow | null, trial: TrialRow | null) => ({
  expiration: (trial?.expiresAt ?? row?.graceUntil ?? row?.nextBillingAt)?.toISOString() ?? null,
  next_billing: row && !row.canceledAt ? row.nextBillingAt.toISOString() : null,
  canceled_at: row?.canceledAt?.toISOString() ?? null,
});

export const subscriptionView = ({ row, plan, nextPlan, trial }: Standing): Subscription => ({
  id: row?.id ?? null,
  plan: ratePlanView(plan),
  period: row?.period ?? null,
  ...billingDates(row, trial),
  next_plan: nextPlan && ratePlanView(nextPlan),
  next_period: row?.nextPeriod ?? null,
  is_default: plan.name === defaultPlan,
  is_trial: trial !== null,
});
