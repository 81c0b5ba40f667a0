import { defineFeature } from '../../platform/feature.ts';
import { quotaEvents } from './events.ts';
import { quotaPolicy } from './policy.ts';
import { quotaRoutes } from './routes.ts';
import { startSweeping } from './service/sweep.ts';

export const quotaFeature = defineFeature({
  name: 'quota',
  policy: quotaPolicy,
  routes: { quota: quotaRoutes },
  events: quotaEvents,
  start: startSweeping,
});
