import type { WebFeature } from '../../platform/features/web-feature.ts';

export const commentsFeature: WebFeature = {
  name: 'comments',
  parts: async () => (await import('./parts.ts')).parts,
};
