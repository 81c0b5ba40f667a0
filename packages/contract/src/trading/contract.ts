import { defineContract } from '../define-contract.ts';
import { tradingTopic } from './channel.ts';
import { tradingEndpoints, tradingRawEndpoints } from './endpoints.ts';

export const tradingContract = defineContract({
  endpoints: tradingEndpoints,
  rawEndpoints: tradingRawEndpoints,
  topics: { trading: tradingTopic },
});
