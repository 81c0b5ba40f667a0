import { defineContract } from '../define-contract.ts';
import { subscriptionEndpoints } from './endpoints.ts';

export const subscriptionsContract = defineContract({ endpoints: subscriptionEndpoints });
