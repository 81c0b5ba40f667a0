import { IconChartCandle } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const strategiesFeature: WebFeature = {
  name: 'strategies',
  flag: 'strategies',
  navigation: [{ label: 'Strategies', icon: IconChartCandle, to: '/strategies', group: 'trading', leadsOn: 'crypto' }],
  parts: async () => (await import('./parts.ts')).strategiesParts,
};
