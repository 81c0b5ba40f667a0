import { defineFeature } from '../../platform/feature.ts';
import { paymentBroadcasts, paymentEvents } from './events.ts';
import { paymentsPolicy } from './policy.ts';
import { paymentRawRoutes } from './raw-routes.ts';
import { paymentRoutes } from './routes.ts';

export const paymentsFeature = defineFeature({
  name: 'payments',
  policy: paymentsPolicy,
  routes: { payments: paymentRoutes },
  rawRoutes: paymentRawRoutes,
  events: paymentEvents,
  broadcasts: paymentBroadcasts,
});
