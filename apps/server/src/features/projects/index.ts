import type { Feature } from '../../platform/feature.ts';
import { projectBroadcasts, projectEvents } from './events.ts';
import { projectsPolicy } from './policy.ts';
import { sweepProjects } from './service/write.ts';

export { projectRoutes } from './routes.ts';

export const projectsFeature: Feature = {
  name: 'projects',
  policy: projectsPolicy,
  events: projectEvents,
  broadcasts: projectBroadcasts,
  sweep: sweepProjects,
};
