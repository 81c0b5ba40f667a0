import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { flag, id } from '../fields.ts';
import { notebook } from './entity.ts';

const tag = 'Notebooks';

export const notebookEndpoints = {
  get: endpoint('GET', '/v1/projects/{id}/files/{fileId}/notebook', {
    permission: 'project.view_source',
    tag,
    summary: 'A notebook as it is now, with what is not saved yet',
    description: 'The topic of the notebook tells what comes after `position`.',
  })
    .input(z.strictObject({ id, fileId: id, version_id: id.optional(), with_last_ok_run: flag.optional() }))
    .output(notebook),
};

export const notebookRawEndpoints = {
  export: rawEndpoint('POST', '/v1/projects/{id}/files/{fileId}/export', {
    permission: 'project.export',
    tag,
    summary: 'A notebook as another kind of file',
  }),
};
