import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useDeliveriesLive } from './live.ts';

export const deliveriesFeature: WebFeature = {
  name: 'deliveries',
  flag: 'publications',
  useLive: useDeliveriesLive,
  parts: async () => (await import('./parts.ts')).parts,
};
