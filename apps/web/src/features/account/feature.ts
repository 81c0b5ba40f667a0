import type { WebFeature } from '../../platform/features/web-feature.ts';

export const accountFeature: WebFeature = {
  name: 'account',
  parts: async () => (await import('./parts.ts')).parts,
};
