import { defineFeature } from '../../platform/feature.ts';
import { planEvents } from './events.ts';
import { plansPolicy } from './policy.ts';
import { planRoutes } from './routes.ts';
import { seedPlans } from './service/plans.ts';
import { planJob } from './service/tell.ts';

export const plansFeature = defineFeature({
  name: 'plans',
  policy: plansPolicy,
  routes: { subscriptions: planRoutes },
  events: planEvents,
  jobs: [planJob],
  start: seedPlans,
});
