import { defineFeature } from '../../platform/feature.ts';
import { mailFriend } from './friends.ts';
import { userNotifications } from './notifications.ts';
import { usersPolicy } from './policy.ts';
import { userRoutes } from './routes.ts';
import { sweepGuests } from './service.ts';

export const usersFeature = defineFeature({
  name: 'users',
  policy: usersPolicy,
  routes: { users: userRoutes },
  events: { 'friend.invited': mailFriend },
  notifications: userNotifications,
  sweep: sweepGuests,
});
