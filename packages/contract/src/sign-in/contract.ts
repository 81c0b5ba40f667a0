import { defineContract } from '../define-contract.ts';
import { signInEndpoints, signInRawEndpoints } from './endpoints.ts';

export const signInContract = defineContract({
  endpoints: signInEndpoints,
  rawEndpoints: signInRawEndpoints,
});
