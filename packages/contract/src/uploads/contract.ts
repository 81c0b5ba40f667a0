import { defineContract } from '../define-contract.ts';
import { uploadEndpoints, uploadRawEndpoints } from './endpoints.ts';

export const uploadsContract = defineContract({
  endpoints: uploadEndpoints,
  rawEndpoints: uploadRawEndpoints,
});
