import { defineContract } from '../define-contract.ts';
import { referralEndpoints } from './endpoints.ts';

export const referralsContract = defineContract({ endpoints: referralEndpoints });
