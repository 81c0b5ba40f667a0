import type { Feature } from '../../platform/feature.ts';
import { sharingBroadcasts, sharingEvents } from './events.ts';
import { sharingPolicy } from './policy.ts';

export { sharingRoutes } from './routes.ts';

export const sharingFeature: Feature = {
  name: 'sharing',
  policy: sharingPolicy,
  events: sharingEvents,
  broadcasts: sharingBroadcasts,
};
