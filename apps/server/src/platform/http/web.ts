import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiPrefix, type Theme } from '@atoll/contract';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { sendError } from './error-response.ts';
import { outputPolicy, pagePolicy, sandboxHeaders } from './security-headers.ts';

/** Serves the built web app: hashed assets for ever, and for every other path the page that boots it. */
export async function serveWeb(http: FastifyInstance, folder: string, theme: () => Promise<Theme>): Promise<void> {
  await http.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    setHeaders: (reply, path) => {
      // It is asked for by this name, and found as what it was compressed to.
      if (/\.html(\.\w+)?$/.test(path)) reply.headers(sandboxHeaders(outputPolicy));
    },
  });
  const template = await readFile(join(folder, 'index.html'), 'utf8');
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !path.startsWith(`${apiPrefix}/`) && !path.startsWith('/assets/');
    if (!isPage) return sendError(request, reply, new AppError('not_found', 'There is no such page.'));
    // Without a theme the page still comes: it shows what went wrong.
    const head = await theme().then(headOf, () => headOf(null));
    const html = template.replace(
      /%(THEME_TITLE|THEME_DESCRIPTION|THEME_ICON)%/g,
      (_, name: keyof typeof head) => head[name],
    );
    return reply
      .headers({ 'content-security-policy': pagePolicy(path), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

const attribute = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function headOf(theme: Theme | null) {
  return {
    THEME_TITLE: attribute(theme?.title ?? ''),
    THEME_DESCRIPTION: attribute(theme?.description ?? ''),
    THEME_ICON: attribute(theme?.logo ?? 'data:,'),
  };
}
