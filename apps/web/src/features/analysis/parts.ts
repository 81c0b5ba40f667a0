import { IconChartLine } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  panels: [
    {
      id: 'analytics',
      label: 'Analytics',
      icon: IconChartLine,
      place: 'right',
      permission: 'view_analytics',
      isInAddress: true,
      component: lazyPart(() => import('./components/analytics-panel.tsx'), 'AnalyticsPanel'),
    },
  ],
};
