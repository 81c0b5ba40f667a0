import { defineFeature } from '../../platform/feature.ts';
import { referralBroadcasts, referralEvents } from './events.ts';
import { referralsPolicy } from './policy.ts';
import { referralRoutes } from './routes.ts';

export const referralsFeature = defineFeature({
  name: 'referrals',
  policy: referralsPolicy,
  routes: { referrals: referralRoutes },
  events: referralEvents,
  broadcasts: referralBroadcasts,
});
