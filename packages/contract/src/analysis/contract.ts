import { defineContract } from '../define-contract.ts';
import { analysisEndpoints } from './endpoints.ts';

export const analysisContract = defineContract({ endpoints: analysisEndpoints });
