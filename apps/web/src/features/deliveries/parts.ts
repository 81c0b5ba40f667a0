import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  reportSections: [
    { id: 'delivery', component: lazyPart(() => import('./components/report-delivery.tsx'), 'ReportDelivery') },
  ],
};
