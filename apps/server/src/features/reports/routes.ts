import { endpoints, pageOf } from '../../platform/http/implement.ts';
import { listReports } from './service/list.ts';
import { progressOf } from './service/progress.ts';
import { readSettings, updateSettings } from './service/settings.ts';

const { reports } = endpoints;

export const reportRoutes = {
  list: reports.list.handler(async ({ context, input }) => pageOf(input, await listReports(context, input))),
  get: reports.get.handler(({ context, input }) => readSettings(context, input.id)),
  update: reports.update.handler(({ context, input: { id, ...update } }) => updateSettings(context, id, update)),
  progress: reports.progress.handler(async ({ context, input }) => ({
    drawing: await progressOf(context, input.id),
  })),
};
