import { defineContract } from '../define-contract.ts';
import { sharingEndpoints } from './endpoints.ts';

export const sharingContract = defineContract({
  endpoints: sharingEndpoints,
});
