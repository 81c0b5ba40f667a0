import { defineContract } from '../define-contract.ts';
import { assistantTopic } from './channel.ts';
import { aiEndpoints } from './endpoints.ts';

export const aiContract = defineContract({ endpoints: aiEndpoints, topics: { assistant: assistantTopic } });
