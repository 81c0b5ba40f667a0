import { defineFeature } from '../../platform/feature.ts';
import { portfoliosPolicy } from './policy.ts';
import { portfoliosRoutes } from './routes.ts';
import { closeDayJob, closeDaySchedule } from './service/days.ts';

/** What people own, over several exchanges and by hand. */
export const portfoliosFeature = defineFeature({
  name: 'portfolios',
  policy: portfoliosPolicy,
  routes: { portfolios: portfoliosRoutes },
  jobs: [closeDayJob],
  schedules: { 'portfolios.close_day': closeDaySchedule },
});
