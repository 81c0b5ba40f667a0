import { endpoints } from '../../platform/http/implement.ts';
import { listPlans } from './service/plans.ts';

export const planRoutes = {
  plans: endpoints.subscriptions.plans.handler(({ context }) => listPlans(context)),
};
