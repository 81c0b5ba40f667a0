import { defineContract } from '../define-contract.ts';
import { marketPricesTopic, marketTopicOfAsset, tradingTopic } from './channel.ts';
import { tradingEndpoints, tradingRawEndpoints } from './endpoints.ts';

export const tradingContract = defineContract({
  endpoints: tradingEndpoints,
  rawEndpoints: tradingRawEndpoints,
  topics: { trading: tradingTopic, marketPrices: marketPricesTopic, market: marketTopicOfAsset },
});
