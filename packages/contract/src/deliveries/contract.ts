import { defineContract } from '../define-contract.ts';
import { deliveryEndpoints, deliveryRawEndpoints } from './endpoints.ts';

export const deliveriesContract = defineContract({
  endpoints: deliveryEndpoints,
  rawEndpoints: deliveryRawEndpoints,
});
