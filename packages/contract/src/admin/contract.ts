import { defineContract } from '../define-contract.ts';
import { adminEndpoints, adminRawEndpoints } from './endpoints.ts';

export const adminContract = defineContract({ endpoints: adminEndpoints, rawEndpoints: adminRawEndpoints });
