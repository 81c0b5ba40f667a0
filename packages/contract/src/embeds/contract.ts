import { defineContract } from '../define-contract.ts';
import { embedEndpoints } from './endpoints.ts';

export const embedsContract = defineContract({ endpoints: embedEndpoints });
