import type { BillingPeriod } from '@atoll/contract/subscriptions/entity';
import { api } from '../../platform/client.ts';

export const plansQuery = api.subscriptions.plans.queryOptions({ input: {} });
export const subscriptionQuery = api.subscriptions.get.queryOptions({ input: {} });

export const changeQuery = (rate_plan_id: string, period: BillingPeriod) =>
  api.subscriptions.preview.queryOptions({ input: { rate_plan_id, period }, staleTime: 0, gcTime: 0, retry: false });
