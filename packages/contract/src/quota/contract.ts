import { defineContract } from '../define-contract.ts';
import { quotaEndpoints } from './endpoints.ts';

export const quotaContract = defineContract({
  endpoints: quotaEndpoints,
});
