import { defineContract } from '../define-contract.ts';
import { trackingLiveTopic, trackingTopic } from './channel.ts';

export const trackingContract = defineContract({
  topics: { tracking: trackingTopic, trackingLive: trackingLiveTopic },
});
