import { IconTags } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useSubscriptionLive } from './live.ts';

export const subscriptionsFeature: WebFeature = {
  name: 'subscriptions',
  flag: 'wallet',
  navigation: [{ label: 'Pricing', icon: IconTags, to: '/pricing', group: 'account' }],
  useLive: useSubscriptionLive,
};
