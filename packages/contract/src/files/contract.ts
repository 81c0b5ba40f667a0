import { defineContract } from '../define-contract.ts';
import { fileTopic, projectFilesTopic } from './channel.ts';
import { fileEndpoints, fileRawEndpoints } from './endpoints.ts';

export const filesContract = defineContract({
  endpoints: fileEndpoints,
  rawEndpoints: fileRawEndpoints,
  topics: { file: fileTopic, projectFiles: projectFilesTopic },
});
