import { defineFeature } from '../../platform/feature.ts';
import { teamBroadcasts, teamEvents } from './events.ts';
import { teamNotifications } from './notifications.ts';
import { teamsPolicy } from './policy.ts';
import { teamRoutes } from './routes.ts';
import { sweepInvites } from './service/invites.ts';

export const teamsFeature = defineFeature({
  name: 'teams',
  policy: teamsPolicy,
  routes: { teams: teamRoutes },
  events: teamEvents,
  broadcasts: teamBroadcasts,
  notifications: teamNotifications,
  sweep: sweepInvites,
});
