import { defineFeature } from '../../platform/feature.ts';
import { trackingChannels } from './channel.ts';
import { trackingPolicy } from './policy.ts';
import { sweepTracking } from './service.ts';

export const trackingFeature = defineFeature({
  name: 'tracking',
  policy: trackingPolicy,
  channels: trackingChannels,
  sweep: sweepTracking,
});
