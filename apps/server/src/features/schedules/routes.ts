import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import {
  changeOfFile,
  changeOfPublication,
  deleteSchedule,
  previewTimes,
  scheduleOfFile,
  scheduleOfPublication,
} from './service/change.ts';
import { runNow } from './service/fire.ts';
import { listFirings, listSchedules } from './service/list.ts';
import { acceptReview } from './service/review.ts';

const { schedules } = endpoints;

export const scheduleRoutes = {
  ofFile: schedules.ofFile.handler(({ context, input }) => scheduleOfFile(context, input.id, input.fileId)),
  changeOfFile: schedules.changeOfFile.handler(({ context, input }) =>
    changeOfFile(context, input.id, input.fileId, input.schedule),
  ),
  ofPublication: schedules.ofPublication.handler(({ context, input }) => scheduleOfPublication(context, input.id)),
  changeOfPublication: schedules.changeOfPublication.handler(({ context, input }) =>
    changeOfPublication(context, input.id, input.schedule),
  ),
  list: schedules.list.handler(async ({ context, input }) => pageOf(input, await listSchedules(context, input))),
  preview: schedules.preview.handler(({ context, input }) => previewTimes(context, input.schedule)),
  run: schedules.run.handler(({ context, input }) => runNow(context, input.id)),
  review: schedules.review.handler(({ context, input }) => acceptReview(context, input.id, input.until)),
  firings: schedules.firings.handler(({ context, input }) => listFirings(context, input)),
  delete: schedules.delete.handler(({ context, input }) => done(deleteSchedule(context, input.id))),
};
