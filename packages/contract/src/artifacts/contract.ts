import { defineContract } from '../define-contract.ts';
import { artifactEndpoints, artifactRawEndpoints } from './endpoints.ts';

export const artifactsContract = defineContract({ endpoints: artifactEndpoints, rawEndpoints: artifactRawEndpoints });
