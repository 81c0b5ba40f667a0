import { defineFeature } from '../../platform/feature.ts';
import { meRoutes } from './routes.ts';

/** The rules are those of sessions. */
export const meFeature = defineFeature({ name: 'me', policy: {}, routes: { session: meRoutes } });
