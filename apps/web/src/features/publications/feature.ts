import { IconNews } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const publicationsFeature: WebFeature = {
  name: 'publications',
  flag: 'publications',
  navigation: [{ label: 'Publications', icon: IconNews, to: '/publications', group: 'work', leadsOn: 'dpasa' }],
  commands: async () => (await import('./use-publication-commands.tsx')).usePublicationCommands,
  projectTabs: [
    {
      id: 'publications',
      label: 'Publications',
      icon: IconNews,
      component: lazyPart(() => import('./components/own-publications.tsx'), 'OwnPublications'),
    },
  ],
};
