import type { WebFeature } from '../../platform/features/web-feature.ts';

export const aiFeature: WebFeature = {
  name: 'ai',
  flag: 'ai',
  parts: async () => (await import('./parts.ts')).parts,
};
