import { endpoints } from '../../platform/http/implement.ts';
import { moreOutputs, openNotebook } from './service/document/open.ts';

const { notebooks } = endpoints;

export const notebookRoutes = {
  get: notebooks.get.handler(({ context, input }) =>
    openNotebook(
      context,
      { projectId: input.id, fileId: input.fileId },
      { versionId: input.version_id, withLastOkRun: input.with_last_ok_run },
    ),
  ),
  outputs: notebooks.outputs.handler(({ context, input }) =>
    moreOutputs(
      context,
      { projectId: input.id, fileId: input.fileId },
      {
        cellId: input.cell_id,
        from: input.from,
        which: { versionId: input.version_id, withLastOkRun: input.with_last_ok_run },
      },
    ),
  ),
};
