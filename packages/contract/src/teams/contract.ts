import { defineContract } from '../define-contract.ts';
import { teamEndpoints } from './endpoints.ts';

export const teamsContract = defineContract({
  endpoints: teamEndpoints,
});
