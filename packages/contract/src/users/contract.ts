import { defineContract } from '../define-contract.ts';
import { userEndpoints } from './endpoints.ts';

export const usersContract = defineContract({
  endpoints: userEndpoints,
});
