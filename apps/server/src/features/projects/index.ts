import type { Feature } from '../../platform/feature.ts';
import { projectsPolicy } from './policy.ts';
import { adoptProjects, sweepProjects } from './service/write.ts';

export { projectRoutes } from './routes.ts';

export const projectsFeature: Feature = {
  name: 'projects',
  policy: projectsPolicy,
  events: { 'guest.merged': (ctx, { guest_user_id, user_id }) => adoptProjects(ctx, guest_user_id, user_id) },
  sweep: sweepProjects,
};
