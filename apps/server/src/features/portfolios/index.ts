import { defineFeature } from '../../platform/feature.ts';
import { portfolioMeta } from '../projects/service/portfolio-meta.ts';
import { portfoliosPolicy } from './policy.ts';
import { portfolioPublication } from './publication.ts';
import { portfoliosRoutes } from './routes.ts';
import { closeDayJob, closeDaySchedule } from './service/days.ts';
import { metaOf } from './service/portfolios.ts';

/** What people own, over several exchanges and by hand. */
export const portfoliosFeature = defineFeature({
  name: 'portfolios',
  policy: portfoliosPolicy,
  routes: { portfolios: portfoliosRoutes },
  async start(ctx) {
    portfolioMeta(ctx).of = metaOf;
  },
  publicationKinds: [portfolioPublication],
  jobs: [closeDayJob],
  schedules: { 'portfolios.close_day': closeDaySchedule },
});
