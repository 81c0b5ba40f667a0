import { defineContract } from '../define-contract.ts';
import { reportEndpoints, reportRawEndpoints } from './endpoints.ts';

export const reportsContract = defineContract({ endpoints: reportEndpoints, rawEndpoints: reportRawEndpoints });
