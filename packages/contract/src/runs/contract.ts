import { defineContract } from '../define-contract.ts';
import { runTopic } from './channel.ts';
import { runEndpoints, runRawEndpoints } from './endpoints.ts';

export const runsContract = defineContract({
  endpoints: runEndpoints,
  rawEndpoints: runRawEndpoints,
  topics: { run: runTopic },
});
