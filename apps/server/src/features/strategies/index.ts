import { defineFeature } from '../../platform/feature.ts';
import { strategiesChannels } from './channel.ts';
import { strategiesBroadcasts } from './events.ts';
import { strategiesPolicy } from './policy.ts';
import { strategiesRoutes } from './routes.ts';
import { advanceJob, tickJob, tickSchedule } from './service/advance.ts';
import { testJob } from './service/test-job.ts';

/** Trading strategies: tested on history, run on connections. */
export const strategiesFeature = defineFeature({
  name: 'strategies',
  policy: strategiesPolicy,
  routes: { strategies: strategiesRoutes },
  channels: strategiesChannels,
  broadcasts: strategiesBroadcasts,
  jobs: [testJob, advanceJob, tickJob],
  schedules: { 'strategies.tick': tickSchedule },
});
