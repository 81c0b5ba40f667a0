import { endpoints } from '../../platform/http/implement.ts';
import { getRun, listRuns } from './service/read.ts';
import { startRun, stopRun } from './service/start.ts';

const { runs } = endpoints;

export const runRoutes = {
  list: runs.list.handler(async ({ context, input }) => {
    const { page, page_size } = input;
    return { ...(await listRuns(context, input)), page, page_size };
  }),
  start: runs.start.handler(({ context, input }) => startRun(context, input)),
  get: runs.get.handler(({ context, input }) => getRun(context, input.id, input.runId)),
  stop: runs.stop.handler(({ context, input }) => stopRun(context, input.id, input.runId)),
};
