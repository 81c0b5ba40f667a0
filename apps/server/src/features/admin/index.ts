import { defineFeature } from '../../platform/feature.ts';
import { flagSettingsOf } from '../../platform/flags/settings.ts';
import { adminPolicy } from './policy.ts';
import { adminRawRoutes } from './raw-routes.ts';
import { adminRoutes } from './routes.ts';
import { countJob, countSchedule } from './service/figures.ts';
import { endMaskJob } from './service/mask.ts';

export const adminFeature = defineFeature({
  name: 'admin',
  policy: adminPolicy,
  routes: { admin: adminRoutes },
  rawRoutes: adminRawRoutes,
  jobs: [endMaskJob, countJob],
  schedules: { 'admin.count': countSchedule },
  start: (ctx) => flagSettingsOf(ctx).start(),
});
