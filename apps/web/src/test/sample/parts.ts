import { IconFlask } from '@tabler/icons-react';
import { codeView } from '../../features/files/kinds.ts';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  settingsPages: [
    {
      id: 'samples',
      label: 'Sample settings',
      description: 'How samples are taken',
      component: lazyPart(() => import('./sample-list.tsx'), 'SampleList'),
    },
  ],
  documents: [
    {
      id: 'sample',
      extensions: ['sample'],
      icon: IconFlask,
      projectKind: 'canvas',
      views: [
        codeView,
        {
          id: 'board',
          label: 'Board',
          isWithoutText: true,
          component: lazyPart(() => import('./sample-board.tsx'), 'SampleBoard'),
        },
      ],
      first: 'board',
    },
  ],
  panels: [
    {
      id: 'sample-notes',
      label: 'Sample notes',
      icon: IconFlask,
      place: 'right',
      kinds: ['sample'],
      isInAddress: true,
      component: lazyPart(() => import('./sample-notes.tsx'), 'SampleNotes'),
    },
  ],
};
