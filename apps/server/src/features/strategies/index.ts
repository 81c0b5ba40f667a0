import { defineFeature } from '../../platform/feature.ts';
import { strategiesChannels } from './channel.ts';
import { strategiesBroadcasts } from './events.ts';
import { strategiesNotifications } from './notifications.ts';
import { strategiesPolicy } from './policy.ts';
import { strategyPublication } from './publication.ts';
import { strategiesRoutes } from './routes.ts';
import { advanceJob, tickJob, tickSchedule } from './service/advance.ts';
import { keepCard } from './service/catalogue.ts';
import { orderChanged } from './service/order-news.ts';
import { testJob } from './service/test-job.ts';
import { verifyJob } from './service/verify-job.ts';

/** Trading strategies: tested on history, run on connections. */
export const strategiesFeature = defineFeature({
  name: 'strategies',
  policy: strategiesPolicy,
  routes: { strategies: strategiesRoutes },
  channels: strategiesChannels,
  broadcasts: strategiesBroadcasts,
  notifications: strategiesNotifications,
  publicationKinds: [strategyPublication],
  events: {
    'publication.published': (ctx, { publication_id }) => keepCard(ctx, publication_id),
    'order.changed': async (ctx, { order_id, state, source }) => {
      if (source === 'strategy' && state !== 'formed') await orderChanged(ctx, order_id);
    },
  },
  jobs: [testJob, verifyJob, advanceJob, tickJob],
  schedules: { 'strategies.tick': tickSchedule },
});
