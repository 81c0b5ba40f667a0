import { IconFlask } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { WebFeature } from '../../platform/features/web-feature.ts';

/** A feature as the recipes describe it, for the tests of the places that features share. */
export const sampleFeature: WebFeature = {
  name: 'sample',
  flag: 'canvas',
  navigation: [{ label: 'Samples', icon: IconFlask, to: '/feedback', group: 'work' }],
  adminPages: [{ label: 'Sample limits', icon: IconFlask, to: '/privacy-policy' }],
  projectTabs: [
    { id: 'samples', label: 'Samples', component: lazyPart(() => import('./sample-list.tsx'), 'SampleList') },
  ],
  commands: async () => (await import('./use-sample-commands.ts')).useSampleCommands,
  parts: async () => (await import('./parts.ts')).parts,
};
