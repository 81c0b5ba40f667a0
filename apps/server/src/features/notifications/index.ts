import type { Feature } from '../../platform/feature.ts';
import { notificationChannels } from './channel.ts';
import { notificationEvents } from './events.ts';
import { notificationsPolicy } from './policy.ts';
import { digestJob, planDigests } from './service/digest.ts';
import { notifyManyJob } from './service/fan-out.ts';

export { notificationRoutes } from './routes.ts';

export const notificationsFeature: Feature = {
  name: 'notifications',
  policy: notificationsPolicy,
  events: notificationEvents,
  channels: notificationChannels,
  jobs: [notifyManyJob, digestJob],
  sweep: planDigests,
};
