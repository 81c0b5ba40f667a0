import { defineContract } from '../define-contract.ts';
import { secretEndpoints } from './endpoints.ts';

export const secretsContract = defineContract({
  endpoints: secretEndpoints,
});
