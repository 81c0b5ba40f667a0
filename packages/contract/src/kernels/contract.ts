import { defineContract } from '../define-contract.ts';
import { kernelEndpoints } from './endpoints.ts';

export const kernelsContract = defineContract({
  endpoints: kernelEndpoints,
});
