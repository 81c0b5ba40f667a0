import { IconFolders, IconHistory } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';
import { documents } from './kinds.ts';

export const parts: FeatureParts = {
  documents,
  panels: [
    {
      id: 'files',
      label: 'Files',
      icon: IconFolders,
      place: 'left',
      permission: 'view_source',
      keys: 'mod+B',
      isOpenAtFirst: true,
      component: lazyPart(() => import('./tree/files-panel.tsx'), 'FilesPanel'),
    },
    {
      id: 'versions',
      label: 'Versions',
      icon: IconHistory,
      place: 'right',
      isAboutFile: true,
      permission: 'view_history',
      buttonLabel: () => 'Version history',
      component: lazyPart(() => import('./versions/versions-panel.tsx'), 'VersionsPanel'),
    },
  ],
};
