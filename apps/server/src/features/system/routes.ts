import { rawContract } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { appState } from '../../platform/app-state.ts';
import { AppError } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { docsPage } from '../../platform/http/docs-page.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { openApiDocument } from '../../platform/http/openapi.ts';
import { asyncApiDocument } from '../../platform/realtime/asyncapi.ts';
import { currentTheme } from '../theme/service.ts';
import { readBuild, serverConfigOf } from './service.ts';

const build = appState(({ config }) => readBuild(config));

export const systemRoutes = {
  status: endpoints.system.status.handler(({ context }) => build(context)),
  config: endpoints.system.config.handler(({ context }) => serverConfigOf(context.config)),
};

export const systemRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.system.live,
    handle: async (_ctx, _request, reply) => reply.send({ status: 'live' }),
  },
  {
    endpoint: rawContract.system.ready,
    async handle(ctx, _request, reply) {
      await ctx.db.execute(sql`select 1`).catch(() => {
        throw new AppError('service_unavailable', 'The database cannot be reached.', { retryAfterSeconds: 5 });
      });
      return reply.send({ status: 'ready' });
    },
  },
  {
    endpoint: rawContract.system.openapi,
    async handle(ctx, _request, reply) {
      return reply.send(await openApiDocument(await currentTheme(ctx)));
    },
  },
  {
    endpoint: rawContract.system.asyncapi,
    handle: async (ctx, _request, reply) => reply.send(asyncApiDocument(await currentTheme(ctx))),
  },
  {
    endpoint: rawContract.system.docs,
    async handle(ctx, _request, reply) {
      const theme = await currentTheme(ctx);
      const page = docsPage(await openApiDocument(theme), theme);
      reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      );
      return reply.type('text/html; charset=utf-8').send(page);
    },
  },
];
