import { IconBuildingBank } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const tradingFeature: WebFeature = {
  name: 'trading',
  flag: 'exchanges',
  navigation: [
    {
      label: 'Exchanges',
      icon: IconBuildingBank,
      to: '/exchanges',
      group: 'trading',
      isForMembers: true,
      leadsOn: 'crypto',
    },
  ],
};
