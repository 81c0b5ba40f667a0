import { endpoints } from '../../platform/http/implement.ts';
import { openNotebook } from './service/open.ts';

const { notebooks } = endpoints;

export const notebookRoutes = {
  get: notebooks.get.handler(({ context, input }) =>
    openNotebook(
      context,
      { projectId: input.id, fileId: input.fileId },
      { versionId: input.version_id, withLastOkRun: input.with_last_ok_run },
    ),
  ),
};
