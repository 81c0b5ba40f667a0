import type { Feature } from '../../platform/feature.ts';
import { mailFriend } from './friends.ts';
import { usersPolicy } from './policy.ts';
import { sweepGuests } from './service.ts';

export { userRoutes } from './routes.ts';

export const usersFeature: Feature = {
  name: 'users',
  policy: usersPolicy,
  events: { 'friend.invited': mailFriend },
  sweep: sweepGuests,
};
