import { defineContract } from '../define-contract.ts';
import { mailEndpoints, mailRawEndpoints } from './endpoints.ts';

export const mailContract = defineContract({
  endpoints: mailEndpoints,
  rawEndpoints: mailRawEndpoints,
});
