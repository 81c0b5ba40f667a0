import { IconReport } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const reportsFeature: WebFeature = {
  name: 'reports',
  flag: 'publications',
  navigation: [{ label: 'Reports', icon: IconReport, to: '/reports', group: 'work' }],
  projectTabs: [
    {
      id: 'reports',
      label: 'Reports',
      icon: IconReport,
      component: lazyPart(() => import('./components/own-reports.tsx'), 'OwnReports'),
    },
  ],
};
