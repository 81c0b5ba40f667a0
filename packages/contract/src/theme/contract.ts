import { defineContract } from '../define-contract.ts';
import { themeEndpoints } from './endpoints.ts';

export const themeContract = defineContract({
  endpoints: themeEndpoints,
});
