import { defineContract } from '../define-contract.ts';
import { publicationEndpoints } from './endpoints.ts';

export const publicationsContract = defineContract({ endpoints: publicationEndpoints });
