import { defineFeature } from '../../platform/feature.ts';
import { tradingChannels } from './channel.ts';
import { tradingBroadcasts } from './events.ts';
import { tradingPolicy } from './policy.ts';
import { tradingRawRoutes } from './raw-routes.ts';
import { tradingRoutes } from './routes.ts';
import { offerTradingCalls } from './service/kernel-calls.ts';
import { livePrices } from './service/live-prices.ts';
import { reconcileJob, reconcileSchedule } from './service/reconcile.ts';
import { sendJob } from './service/send.ts';
import { tradingWorker } from './service/worker-client.ts';

export const tradingFeature = defineFeature({
  name: 'trading',
  policy: tradingPolicy,
  routes: { trading: tradingRoutes },
  rawRoutes: tradingRawRoutes,
  channels: tradingChannels,
  broadcasts: tradingBroadcasts,
  jobs: [sendJob, reconcileJob],
  async start(ctx) {
    offerTradingCalls(ctx);
    return () => {
      livePrices(ctx).stop();
      tradingWorker(ctx).stop();
    };
  },
  schedules: { 'trading.reconcile': reconcileSchedule },
});
