import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiPrefix, type Theme } from '@atoll/contract';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { sendError } from './error-response.ts';
import { escaped } from './escape.ts';
import { embeddedOutputPolicy, outputPolicy, pagePolicy, sandboxHeaders } from './security-headers.ts';

/** Renders the web app's document with a page's head and body. */
export type WebDocument = (
  path: string,
  parts?: { head: string; title: string; description: string; body: string },
) => Promise<string>;

/** Without the web app, only pages that need no app can be read. */
export const plainDocument: WebDocument = async (_path, parts) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(parts?.title ?? '')}</title>
<meta name="description" content="${escaped(parts?.description ?? '')}">${parts?.head ?? ''}</head><body>${parts?.body ?? ''}</body></html>`;

/** Moves everything that only the app needs after the readable content, so that neither waits for the other. */
function readBeforeApp(template: string): string {
  const later: string[] = [];
  return template
    .replace(/<link rel="(?:modulepreload|preload|stylesheet)"[^>]*>|<script[^>]*><\/script>/g, (tag) => {
      later.push(tag.replace('<script src', '<script async src'));
      return '';
    })
    .replace('</body>', () => `${later.join('\n')}\n</body>`);
}

/** Serves the built web app: hashed assets for ever, and for every other path the page that boots it. */
export async function serveWeb(
  http: FastifyInstance,
  folder: string,
  theme: () => Promise<Theme>,
): Promise<WebDocument> {
  await http.register(fastifyStatic, {
    root: join(folder, 'assets'),
    // The plugin's own route reads the whole folder for each request, to refuse names in another case; these files are all
    // public.
    serve: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    setHeaders: (reply, path) => {
      // The path is the requested name, or that name with the suffix of its compression.
      if (/\.html(\.\w+)?$/i.test(path))
        reply.headers(sandboxHeaders(/\/embed-output-\d/i.test(path) ? embeddedOutputPolicy : outputPolicy));
      // Other sites, or pages to print, refer to these files, so their names stay while their content changes.
      if (/\/(embed|print)(-[a-z]+)?\.js(\.\w+)?$/.test(path))
        reply.headers({ 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' });
    },
  });
  http.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => reply.sendFile(request.params['*']));
  const template = await readFile(join(folder, 'index.html'), 'utf8');
  const toRead = readBeforeApp(template);
  // Pages that many people read at once load the theme only every few seconds.
  let lately: { theme: Promise<Theme | null>; until: number } | null = null;
  const themeLately = () => {
    if (!lately || lately.until < Date.now()) lately = { theme: theme().catch(() => null), until: Date.now() + 5_000 };
    return lately.theme;
  };
  const document: WebDocument = async (_path, parts) => {
    // Without a theme the page is still served, and shows the error.
    const known = parts ? await themeLately() : await theme().catch(() => null);
    const head = {
      THEME_TITLE: escaped(parts ? `${parts.title}${known ? ` · ${known.name}` : ''}` : (known?.title ?? '')),
      THEME_DESCRIPTION: escaped(parts?.description ?? known?.description ?? ''),
      THEME_ICON: escaped(known?.logo ?? 'data:,'),
    };
    const html = (parts ? toRead : template).replace(
      /%(THEME_TITLE|THEME_DESCRIPTION|THEME_ICON)%/g,
      (_, name: keyof typeof head) => head[name],
    );
    if (!parts) return html;
    return html
      .replace('</head>', () => `${parts.head}\n</head>`)
      .replace('<div id="root">', () => `${parts.body}\n<div id="root">`)
      .replace(/<noscript>.*?<\/noscript>/s, '');
  };
  const isAddress = await addressesOf(folder);
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !path.startsWith(`${apiPrefix}/`) && !path.startsWith('/assets/');
    if (!isPage) return sendError(request, reply, new AppError('not_found', 'There is no such page.'));
    return reply
      .status(isAddress(path) ? 200 : 404)
      .headers({ 'content-security-policy': pagePolicy(path), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(await document(path));
  });
  return document;
}

/** The build writes a list of the app's addresses; without it every address is accepted. */
async function addressesOf(folder: string): Promise<(path: string) => boolean> {
  const written = await readFile(join(folder, 'addresses.json'), 'utf8').catch(() => null);
  if (written === null) return () => true;
  const patterns = (JSON.parse(written) as string[]).map((path) => {
    const parts = path.split('/').filter(Boolean);
    const pattern = parts.map((part) => (part === '$' ? '.*' : part.startsWith('$') ? '[^/]+' : RegExp.escape(part)));
    return new RegExp(`^/${pattern.join('/')}/?$`);
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
