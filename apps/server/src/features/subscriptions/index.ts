import { defineFeature } from '../../platform/feature.ts';
import { subscriptionBroadcasts, subscriptionEvents, subscriptionNotifications } from './events.ts';
import { subscriptionsPolicy } from './policy.ts';
import { subscriptionRoutes } from './routes.ts';
import { billingJob, sweepSubscriptions } from './service/renew.ts';
import { sweepTrials, trialJob } from './service/trials.ts';

export const subscriptionsFeature = defineFeature({
  name: 'subscriptions',
  policy: subscriptionsPolicy,
  routes: { subscriptions: subscriptionRoutes },
  events: subscriptionEvents,
  broadcasts: subscriptionBroadcasts,
  notifications: subscriptionNotifications,
  jobs: [billingJob, trialJob],
  async sweep(ctx) {
    await sweepSubscriptions(ctx);
    await sweepTrials(ctx);
  },
});
