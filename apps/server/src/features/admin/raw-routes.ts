import { actionLogFilter, adminUserFilter, csvLists, rawContract } from '@atoll/contract';
import { sendCsv } from '../../platform/csv.ts';
import { notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { readFields } from '../../platform/http/read-request.ts';
import { actionColumns, actions, csvLines, lists, userColumns, users } from './csv-lists.ts';

export const adminRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.admin.usersCsv,
    async handle(ctx, request, reply) {
      const filter = readFields(adminUserFilter, request.query);
      return sendCsv(reply, 'users.csv', csvLines(userColumns, users(ctx, filter)));
    },
  },
  {
    endpoint: rawContract.admin.listCsv,
    async handle(ctx, request, reply) {
      const { list: name } = request.params as { list: string };
      const list = csvLists.find((each) => each === name);
      if (!list) throw notFound('This list');
      const { filter, columns, pages } = lists[list];
      const read = pages(ctx, readFields(filter, request.query));
      // Before anything is sent: what does not exist is a 404.
      const first = await read.next();
      async function* all() {
        if (!first.done) yield first.value;
        yield* read;
      }
      return sendCsv(reply, `${list.replaceAll('_', '-')}.csv`, csvLines(Object.keys(columns.shape), all()));
    },
  },
  {
    endpoint: rawContract.admin.actionLogsCsv,
    async handle(ctx, request, reply) {
      const filter = readFields(actionLogFilter, request.query);
      return sendCsv(reply, 'action-log.csv', csvLines(actionColumns, actions(ctx, filter)));
    },
  },
];
