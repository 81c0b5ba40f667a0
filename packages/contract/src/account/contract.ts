import { defineContract } from '../define-contract.ts';
import { accountEndpoints } from './endpoints.ts';

export const accountContract = defineContract({
  endpoints: accountEndpoints,
});
