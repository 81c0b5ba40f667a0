import { defineContract } from '../define-contract.ts';
import { strategyTopic } from './channel.ts';
import { strategiesEndpoints } from './endpoints.ts';

export const strategiesContract = defineContract({
  endpoints: strategiesEndpoints,
  topics: { strategy: strategyTopic },
});
