import type { Feature } from '../../platform/feature.ts';
import { notificationChannels } from './channel.ts';
import { notificationEvents } from './events.ts';
import { notificationJobs } from './jobs.ts';
import { notificationsPolicy } from './policy.ts';
import { planDigests } from './service/digest.ts';

export { notificationRoutes } from './routes.ts';

export const notificationsFeature: Feature = {
  name: 'notifications',
  policy: notificationsPolicy,
  events: notificationEvents,
  channels: notificationChannels,
  jobs: notificationJobs,
  sweep: planDigests,
};
