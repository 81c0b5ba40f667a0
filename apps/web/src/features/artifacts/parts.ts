import { IconPackage } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  panels: [
    {
      id: 'artifacts',
      label: 'Artifacts',
      icon: IconPackage,
      place: 'right',
      permission: 'view_history',
      isInAddress: true,
      component: lazyPart(() => import('./components/artifacts-panel.tsx'), 'ArtifactsPanel'),
    },
  ],
};
