import { IconGift } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useReferralsLive } from './live.ts';

export const referralsFeature: WebFeature = {
  name: 'referrals',
  flag: 'referrals',
  navigation: [
    { label: 'Referrals', icon: IconGift, to: '/referrals/dashboard', group: 'account', isForMembers: true },
  ],
  useLive: useReferralsLive,
};
