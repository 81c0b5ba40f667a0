import { defineContract } from '../define-contract.ts';
import { scheduleEndpoints } from './endpoints.ts';

export const schedulesContract = defineContract({ endpoints: scheduleEndpoints });
