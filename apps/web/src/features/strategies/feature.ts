import type { WebFeature } from '../../platform/features/web-feature.ts';

export const strategiesFeature: WebFeature = {
  name: 'strategies',
  flag: 'strategies',
  parts: async () => (await import('./parts.ts')).strategiesParts,
};
