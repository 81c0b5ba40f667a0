import type { Feature } from '../../platform/feature.ts';
import { mailEvents } from './events.ts';
import { mailPolicy } from './policy.ts';
import { mailRawRoutes } from './routes.ts';

export { mailRoutes } from './routes.ts';

export const mailFeature: Feature = { name: 'mail', policy: mailPolicy, events: mailEvents, rawRoutes: mailRawRoutes };
