import type { Feature } from '../../platform/feature.ts';
import { quotaEvents } from './events.ts';
import { quotaPolicy } from './policy.ts';
import { startSweeping, sweepQuota } from './service/sweep.ts';

export { quotaRoutes } from './routes.ts';

export const quotaFeature: Feature = {
  name: 'quota',
  policy: quotaPolicy,
  events: quotaEvents,
  start: startSweeping,
  sweep: sweepQuota,
};
