import { defineContract } from '../define-contract.ts';
import { embeddedCellTopic, embeddedNotebookTopic, notebookTopic } from './channel.ts';
import { notebookEndpoints, notebookRawEndpoints } from './endpoints.ts';

export const notebookContract = defineContract({
  endpoints: notebookEndpoints,
  rawEndpoints: notebookRawEndpoints,
  topics: { embeddedCell: embeddedCellTopic, embeddedNotebook: embeddedNotebookTopic, notebook: notebookTopic },
});
