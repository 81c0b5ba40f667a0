import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { flag, id } from '../fields.ts';
import { cellId, notebook, outputsPiece } from './entity.ts';

const tag = 'Notebooks';

export const notebookEndpoints = {
  get: endpoint('GET', '/v1/projects/{id}/files/{fileId}/notebook', {
    permission: 'project.view_source',
    tag,
    summary: 'A notebook, with unsaved changes',
    description: 'The topic of the notebook has the changes after `position`.',
  })
    .input(z.strictObject({ id, fileId: id, version_id: id.optional(), with_last_ok_run: flag.optional() }))
    .output(notebook),
  outputs: endpoint('GET', '/v1/projects/{id}/files/{fileId}/notebook/outputs', {
    permission: 'project.view_source',
    tag,
    summary: 'More outputs of a cell, now or in a version',
  })
    .input(
      z.strictObject({
        id,
        fileId: id,
        version_id: id.optional(),
        with_last_ok_run: flag.optional(),
        cell_id: cellId,
        from: z.coerce.number().int().min(0).default(0),
      }),
    )
    .output(outputsPiece),
};

export const notebookRawEndpoints = {
  export: rawEndpoint('POST', '/v1/projects/{id}/files/{fileId}/export', {
    permission: 'project.export',
    isWriting: false,
    flag: 'export',
    tag,
    summary:
      'Export a notebook: `type` (ipynb, py, md, html, pdf); as it stands on its canvas: slides (a page for each frame), board, png, svg, with `frame_id` one frame',
  }),
  exportCell: rawEndpoint('POST', '/v1/projects/{id}/files/{fileId}/export_cell', {
    permission: 'project.export_data',
    isWriting: false,
    flag: 'export',
    tag,
    summary:
      'What a cell shows as a file: `cell_id`, `type` (png, svg, csv, xlsx, json), `output_index` for one of several',
  }),
};
