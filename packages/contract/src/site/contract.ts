import { defineContract } from '../define-contract.ts';
import { siteEndpoints } from './endpoints.ts';

export const siteContract = defineContract({
  endpoints: siteEndpoints,
});
