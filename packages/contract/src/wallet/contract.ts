import { defineContract } from '../define-contract.ts';
import { walletEndpoints, walletRawEndpoints } from './endpoints.ts';

export const walletContract = defineContract({ endpoints: walletEndpoints, rawEndpoints: walletRawEndpoints });
