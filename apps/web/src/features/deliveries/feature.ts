import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useDeliveriesLive } from './live.ts';

export const deliveriesFeature: WebFeature = { name: 'deliveries', flag: 'publish', useLive: useDeliveriesLive };
