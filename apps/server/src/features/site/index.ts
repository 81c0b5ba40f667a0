import type { Feature } from '../../platform/feature.ts';
import { sitePolicy } from './policy.ts';
import { forwardContact } from './service.ts';

export { siteRoutes } from './routes.ts';

export const siteFeature: Feature = {
  name: 'site',
  policy: sitePolicy,
  events: { 'contact.received': (ctx, { message_id }) => forwardContact(ctx, message_id) },
};
