import type { WebFeature } from '../../platform/features/web-feature.ts';

export const filesFeature: WebFeature = {
  name: 'files',
  parts: async () => (await import('./parts.ts')).parts,
};
