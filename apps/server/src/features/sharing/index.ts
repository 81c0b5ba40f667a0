import type { Feature } from '../../platform/feature.ts';
import { sharingBroadcasts } from './events.ts';

export { sharingRoutes } from './routes.ts';

/** Its rules are those of projects. */
export const sharingFeature: Feature = { name: 'sharing', policy: {}, broadcasts: sharingBroadcasts };
