import { defineFeature } from '../../platform/feature.ts';
import { sessionBroadcasts } from './events.ts';
import { sessionsPolicy } from './policy.ts';
import { sessionRoutes } from './routes.ts';
import { sweepSessions } from './service.ts';

export { authenticateSocketToken, authenticateToken } from './service.ts';

export const sessionsFeature = defineFeature({
  name: 'sessions',
  policy: sessionsPolicy,
  routes: { session: sessionRoutes },
  broadcasts: sessionBroadcasts,
  sweep: sweepSessions,
});
