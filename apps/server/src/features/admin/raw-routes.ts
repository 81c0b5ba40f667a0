import { Readable } from 'node:stream';
import { actionLogFilter, adminUserFilter, csvLists, rawContract } from '@atoll/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { csvLine } from '../../platform/csv.ts';
import { invalidBody, notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { cell, lists } from './csv-lists.ts';
import { listActions } from './service/action-logs.ts';
import { planTitles, rolesOf, usersAt } from './service/list-users.ts';
import { adminUserView } from './view.ts';

const size = 1_000;

function filterOf<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const filter = schema.safeParse(request.query);
  if (!filter.success) throw invalidBody(filter.error);
  return filter.data;
}

/** Read as it is sent. */
const sendCsv = (reply: FastifyReply, name: string, lines: AsyncGenerator<string>) =>
  reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(name),
      'cache-control': 'private, no-store',
    })
    .send(Readable.from(lines));

export const adminRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.admin.usersCsv,
    async handle(ctx, request, reply) {
      const filter = filterOf(adminUserFilter, request);
      async function* lines() {
        yield csvLine([
          'id',
          'user_name',
          'first_name',
          'last_name',
          'email',
          'role',
          'roles',
          'plan',
          'balance',
          'state',
          'created_at',
          'active_at',
        ]);
        const plans = await planTitles(ctx);
        for (let offset = 0; ; offset += size) {
          const rows = await usersAt(ctx, filter, size, offset);
          const names = await rolesOf(
            ctx,
            rows.map(({ id }) => id),
          );
          for (const row of rows) {
            const user = adminUserView(row, names.get(row.id) ?? [], plans);
            const roles = user.roles.map(({ name }) => name).join(' ');
            yield csvLine([
              user.id,
              user.user_name,
              user.first_name,
              user.last_name,
              user.email,
              user.role,
              roles,
              user.plan.title,
              user.balance,
              user.state,
              user.created_at,
              user.active_at,
            ]);
          }
          if (rows.length < size) return;
        }
      }
      return sendCsv(reply, 'users.csv', lines());
    },
  },
  {
    endpoint: rawContract.admin.listCsv,
    async handle(ctx, request, reply) {
      const { list: name } = request.params as { list: string };
      const list = csvLists.find((each) => each === name);
      if (!list) throw notFound('This list');
      const { filter, columns, pages } = lists[list];
      const read = pages(ctx, filterOf(filter, request));
      // Before anything is sent: what does not exist is a 404.
      const first = await read.next();
      async function* lines() {
        const names = Object.keys(columns.shape);
        yield csvLine(names);
        for (let page = first; !page.done; page = await read.next())
          for (const entry of page.value) yield csvLine(names.map((each) => cell(entry[each])));
      }
      return sendCsv(reply, `${list.replaceAll('_', '-')}.csv`, lines());
    },
  },
  {
    endpoint: rawContract.admin.actionLogsCsv,
    async handle(ctx, request, reply) {
      const filter = filterOf(actionLogFilter, request);
      async function* lines() {
        yield csvLine([
          'created_at',
          'action',
          'actor',
          'masked_as',
          'subject_type',
          'subject_id',
          'subject',
          'reason',
          'before',
          'after',
        ]);
        for (let before: string | undefined; ; ) {
          const { entries, next } = await listActions(ctx, { ...filter, before, page_size: size });
          for (const log of entries) {
            const { type, id, name } = log.subject;
            yield csvLine([
              log.created_at,
              log.action,
              log.actor?.user_name,
              log.masked_as?.user_name,
              type,
              id,
              name,
              log.reason,
              log.before && JSON.stringify(log.before),
              log.after && JSON.stringify(log.after),
            ]);
          }
          if (next === null) return;
          before = next;
        }
      }
      return sendCsv(reply, 'action-log.csv', lines());
    },
  },
];
