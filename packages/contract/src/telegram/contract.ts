import { defineContract } from '../define-contract.ts';
import { telegramEndpoints } from './endpoints.ts';

export const telegramContract = defineContract({ endpoints: telegramEndpoints });
