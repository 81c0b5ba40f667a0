import { IconChartBar } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const usageFeature: WebFeature = {
  name: 'usage',
  navigation: [{ label: 'Usage', icon: IconChartBar, to: '/usage', group: 'account' }],
};
