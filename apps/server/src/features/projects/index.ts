import { defineFeature } from '../../platform/feature.ts';
import { projectBroadcasts, projectEvents } from './events.ts';
import { projectsPolicy } from './policy.ts';
import { projectRoutes } from './routes.ts';
import { expireOfferJob } from './service/offers.ts';
import { sweepProjects } from './service/write.ts';

export const projectsFeature = defineFeature({
  name: 'projects',
  policy: projectsPolicy,
  routes: { projects: projectRoutes },
  events: projectEvents,
  broadcasts: projectBroadcasts,
  jobs: [expireOfferJob],
  sweep: sweepProjects,
});
