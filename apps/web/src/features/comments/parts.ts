import { IconMessages } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  panels: [
    {
      id: 'comments',
      label: 'Comments',
      icon: IconMessages,
      place: 'right',
      isInAddress: true,
      buttonLabel: ({ stats }) => (stats.comment_count ? `Comments (${stats.comment_count})` : 'Comments'),
      component: lazyPart(() => import('./components/project-comments.tsx'), 'ProjectComments'),
    },
  ],
};
