import { defineFeature } from '../../platform/feature.ts';
import { notificationChannels } from './channel.ts';
import { notificationEvents } from './events.ts';
import { notificationsPolicy } from './policy.ts';
import { notificationRoutes } from './routes.ts';
import { digestJob, planDigests } from './service/digest.ts';
import { notifyManyJob } from './service/fan-out.ts';

export const notificationsFeature = defineFeature({
  name: 'notifications',
  policy: notificationsPolicy,
  routes: { notifications: notificationRoutes },
  events: notificationEvents,
  channels: notificationChannels,
  jobs: [notifyManyJob, digestJob],
  sweep: planDigests,
});
