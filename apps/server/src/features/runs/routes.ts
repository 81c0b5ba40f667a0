import { endpoints, pageOf } from '../../platform/http/implement.ts';
import { getRun, listRuns } from './service/read.ts';
import { startRun, stopRun } from './service/start.ts';

const { runs } = endpoints;

export const runRoutes = {
  list: runs.list.handler(async ({ context, input }) => pageOf(input, await listRuns(context, input))),
  start: runs.start.handler(({ context, input }) => startRun(context, input)),
  get: runs.get.handler(({ context, input }) => getRun(context, input.id, input.runId)),
  stop: runs.stop.handler(({ context, input }) => stopRun(context, input.id, input.runId)),
};
