import { defineContract } from '../define-contract.ts';
import { portfoliosEndpoints } from './endpoints.ts';

export const portfoliosContract = defineContract({ endpoints: portfoliosEndpoints });
