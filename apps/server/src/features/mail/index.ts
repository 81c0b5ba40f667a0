import { defineFeature } from '../../platform/feature.ts';
import { mailEvents } from './events.ts';
import { sweepMailCounts } from './limits.ts';
import { mailPolicy } from './policy.ts';
import { mailRawRoutes, mailRoutes } from './routes.ts';

export const mailFeature = defineFeature({
  name: 'mail',
  policy: mailPolicy,
  routes: { mail: mailRoutes },
  events: mailEvents,
  rawRoutes: mailRawRoutes,
  sweep: sweepMailCounts,
});
