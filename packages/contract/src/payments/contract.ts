import { defineContract } from '../define-contract.ts';
import { paymentEndpoints, paymentRawEndpoints } from './endpoints.ts';

export const paymentsContract = defineContract({ endpoints: paymentEndpoints, rawEndpoints: paymentRawEndpoints });
