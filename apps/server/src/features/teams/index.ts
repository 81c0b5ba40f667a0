import type { Feature } from '../../platform/feature.ts';
import { teamBroadcasts, teamEvents } from './events.ts';
import { teamsPolicy } from './policy.ts';
import { sweepInvites } from './service/invites.ts';

export { teamRoutes } from './routes.ts';

export const teamsFeature: Feature = {
  name: 'teams',
  policy: teamsPolicy,
  events: teamEvents,
  broadcasts: teamBroadcasts,
  sweep: sweepInvites,
};
