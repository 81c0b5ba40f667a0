import type { Feature } from '../../platform/feature.ts';
import { sessionsPolicy } from './policy.ts';
import { sweepSessions } from './service.ts';

export { sessionRoutes } from './routes.ts';
export { authenticateToken } from './service.ts';

export const sessionsFeature: Feature = { name: 'sessions', policy: sessionsPolicy, sweep: sweepSessions };
