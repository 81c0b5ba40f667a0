import { defineFeature } from '../../platform/feature.ts';
import { systemPolicy } from './policy.ts';
import { systemRawRoutes, systemRoutes } from './routes.ts';

export const systemFeature = defineFeature({
  name: 'system',
  policy: systemPolicy,
  routes: { system: systemRoutes },
  rawRoutes: systemRawRoutes,
});
