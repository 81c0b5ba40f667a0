import { defineFeature } from '../../platform/feature.ts';
import { tradingChannels } from './channel.ts';
import { tradingBroadcasts } from './events.ts';
import { tradingPolicy } from './policy.ts';
import { tradingRawRoutes } from './raw-routes.ts';
import { tradingRoutes } from './routes.ts';
import { reconcileJob, reconcileSchedule, sendJob } from './service/send.ts';

export const tradingFeature = defineFeature({
  name: 'trading',
  policy: tradingPolicy,
  routes: { trading: tradingRoutes },
  rawRoutes: tradingRawRoutes,
  channels: tradingChannels,
  broadcasts: tradingBroadcasts,
  jobs: [sendJob, reconcileJob],
  schedules: { 'trading.reconcile': reconcileSchedule },
});
