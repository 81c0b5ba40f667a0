import type { WebFeature } from '../../platform/features/web-feature.ts';

export const artifactsFeature: WebFeature = {
  name: 'artifacts',
  parts: async () => (await import('./parts.ts')).parts,
};
