import { defineFeature } from '../../platform/feature.ts';
import { deliveryBroadcasts, deliveryEvents, deliveryNotifications } from './events.ts';
import { deliveriesPolicy } from './policy.ts';
import { deliveryRawRoutes } from './raw-routes.ts';
import { deliveryRoutes } from './routes.ts';
import { renderJob, sendJob, sweepDeliveries } from './service/jobs.ts';

export const deliveriesFeature = defineFeature({
  name: 'deliveries',
  policy: deliveriesPolicy,
  routes: { deliveries: deliveryRoutes },
  rawRoutes: deliveryRawRoutes,
  broadcasts: deliveryBroadcasts,
  events: deliveryEvents,
  notifications: deliveryNotifications,
  jobs: [renderJob, sendJob],
  sweep: sweepDeliveries,
});
