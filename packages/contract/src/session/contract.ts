import { defineContract } from '../define-contract.ts';
import { sessionEndpoints } from './endpoints.ts';

export const sessionContract = defineContract({
  endpoints: sessionEndpoints,
});
