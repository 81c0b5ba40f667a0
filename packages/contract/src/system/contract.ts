import { defineContract } from '../define-contract.ts';
import { systemEndpoints, systemRawEndpoints } from './endpoints.ts';

export const systemContract = defineContract({
  endpoints: systemEndpoints,
  rawEndpoints: systemRawEndpoints,
});
