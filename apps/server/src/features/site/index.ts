import { defineFeature } from '../../platform/feature.ts';
import { sitePolicy } from './policy.ts';
import { siteRoutes } from './routes.ts';
import { forwardContact } from './service.ts';

export const siteFeature = defineFeature({
  name: 'site',
  policy: sitePolicy,
  routes: { site: siteRoutes },
  events: { 'contact.received': (ctx, { message_id }) => forwardContact(ctx, message_id) },
});
