import { defineFeature } from '../../platform/feature.ts';
import { sharingBroadcasts, sharingEvents } from './events.ts';
import { sharingNotifications } from './notifications.ts';
import { sharingPolicy } from './policy.ts';
import { sharingRoutes } from './routes.ts';

export const sharingFeature = defineFeature({
  name: 'sharing',
  policy: sharingPolicy,
  routes: { sharing: sharingRoutes },
  events: sharingEvents,
  broadcasts: sharingBroadcasts,
  notifications: sharingNotifications,
});
