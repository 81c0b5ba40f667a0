import { defineContract } from '../define-contract.ts';
import { projectEndpoints } from './endpoints.ts';

export const projectsContract = defineContract({
  endpoints: projectEndpoints,
});
