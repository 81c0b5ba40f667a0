import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useQuotaLive } from './live.ts';

export const quotaFeature: WebFeature = { name: 'quota', useLive: useQuotaLive };
