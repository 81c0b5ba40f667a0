import type { Feature } from '../../platform/feature.ts';
import { systemPolicy } from './policy.ts';
import { systemRawRoutes } from './routes.ts';

export { systemRoutes } from './routes.ts';

export const systemFeature: Feature = { name: 'system', policy: systemPolicy, rawRoutes: systemRawRoutes };
