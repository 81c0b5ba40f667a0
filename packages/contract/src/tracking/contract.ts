import { defineContract } from '../define-contract.ts';
import { trackingTopic } from './channel.ts';

export const trackingContract = defineContract({
  topics: { tracking: trackingTopic },
});
