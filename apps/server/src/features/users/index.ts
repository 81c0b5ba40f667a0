import type { Feature } from '../../platform/feature.ts';
import { usersPolicy } from './policy.ts';
import { sweepGuests } from './service.ts';

export { userRoutes } from './routes.ts';

export const usersFeature: Feature = { name: 'users', policy: usersPolicy, sweep: sweepGuests };
