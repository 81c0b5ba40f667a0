import type { WebFeature } from '../../platform/features/web-feature.ts';

export const analysisFeature: WebFeature = {
  name: 'analysis',
  flag: 'analysis',
  parts: async () => (await import('./parts.ts')).parts,
};
