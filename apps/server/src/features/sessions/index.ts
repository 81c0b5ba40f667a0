import type { Feature } from '../../platform/feature.ts';
import { sessionBroadcasts } from './events.ts';
import { sessionsPolicy } from './policy.ts';
import { sweepSessions } from './service.ts';

export { sessionRoutes } from './routes.ts';
export { authenticateSocketToken, authenticateToken } from './service.ts';

export const sessionsFeature: Feature = {
  name: 'sessions',
  policy: sessionsPolicy,
  broadcasts: sessionBroadcasts,
  sweep: sweepSessions,
};
