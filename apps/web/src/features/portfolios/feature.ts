import { IconChartPie } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const portfoliosFeature: WebFeature = {
  name: 'portfolios',
  flag: 'portfolios',
  navigation: [
    {
      label: 'Portfolios',
      icon: IconChartPie,
      to: '/portfolios',
      group: 'trading',
      isForMembers: true,
      leadsOn: 'crypto',
    },
  ],
};
