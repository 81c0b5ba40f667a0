import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FeatureName, ThemeMode } from '@atoll/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { checkFlag } from '../flags/check-flag.ts';
import { toAppError } from './error-response.ts';
import { escaped } from './escape.ts';

/** A page that people can read before, and without, the web app's scripts. */
export interface Page {
  status?: number;
  title: string;
  description: string;
  /** Its canonical path, below the address of the product. */
  path: string;
  /** Below the address of the product. */
  image?: string | null;
  kind?: 'article' | 'website';
  /** Whether search engines may list it. */
  isIndexed: boolean;
  /** Other forms of it: a feed, an oEmbed description. */
  alternates?: { type: string; href: string; title: string }[];
  publishedAt?: string | null;
  authors?: string[];
  /** Sanitised HTML, and the style it needs. */
  body: string;
  style: string;
  /** A document of its own, shown in frames in place of the web app's. */
  framed?: FramedPage;
}

export interface FramedPage {
  /** Null means the mode of the reader's system. */
  mode: ThemeMode | null;
  /** Sources as in a content policy. */
  ancestors: string[];
}

/** `key` changes with the page's content: a document with the same key is sent again from memory. */
export type PageAnswer =
  | { page: Page; key?: string }
  /** A whole document that brings its own scripts, to be printed. */
  | { document: string }
  | { redirect: string }
  | { content: string; type: string };

/** A feature's own page, with a path as Fastify writes it. For null, the web app serves the address. */
export interface PageRoute {
  path: string;
  /** The page exists only with this feature flag. */
  flag?: FeatureName;
  answer(ctx: Context, params: Record<string, string>, query: Record<string, string>): Promise<PageAnswer | null>;
}

interface PageServer {
  contextOf(request: FastifyRequest, reply: FastifyReply): Promise<Context>;
  origin: string;
  /** The web app's document with this in its head and body. */
  document(path: string, parts?: { head: string; title: string; description: string; body: string }): Promise<string>;
  headers(path: string): Record<string, string>;
  framedHeaders(page: FramedPage): Record<string, string>;
  printedHeaders: Record<string, string>;
}

/** Serves pages of the features; the web app answers for pages they do not find. */
export function servePages(http: FastifyInstance, routes: PageRoute[], server: PageServer): void {
  const documents = new Documents();
  for (const route of routes)
    http.get(route.path, async (request, reply) => {
      const path = request.url.split('?')[0] ?? '/';
      const answer = await server
        .contextOf(request, reply)
        .then((ctx) => {
          checkFlag(ctx, route.flag);
          return route.answer(ctx, request.params as Record<string, string>, request.query as Record<string, string>);
        })
        .catch((error: unknown) => {
          const known = toAppError(error, request.log as never);
          if (['not_found', 'unauthorized', 'forbidden'].includes(known.code)) return null;
          throw error;
        });
      if (answer && 'redirect' in answer) return reply.redirect(answer.redirect, 301);
      if (answer && 'content' in answer)
        return reply.header('cache-control', 'public, max-age=300').type(answer.type).send(answer.content);
      if (answer && 'document' in answer)
        return reply
          .headers({ ...server.printedHeaders, 'cache-control': 'private, no-store' })
          .type('text/html; charset=utf-8')
          .send(answer.document);
      const page = answer?.page;
      const framed = page?.framed;
      const draw = framed
        ? async () => framedDocument(page, framed)
        : () => server.document(path, page && documentParts(page, server.origin));
      const headers = framed ? server.framedHeaders(framed) : server.headers(path);
      reply
        .status(page?.status ?? (answer ? 200 : 404))
        .headers({ ...headers, 'cache-control': 'no-cache', vary: 'accept-encoding, cookie' })
        .type('text/html; charset=utf-8');
      if (!answer?.key) return reply.send(await draw());
      const { html, zipped, tag } = await documents.of(answer.key, draw);
      reply.header('etag', tag);
      if (request.headers['if-none-match'] === tag) return reply.status(304).send();
      const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      return isZipped ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(html);
    });
}

interface DrawnDocument {
  html: Buffer;
  zipped: Buffer;
  tag: string;
}

/** The head can change with the theme, so no document is kept for long. */
const documentLife = 5_000;
const mostDocuments = 200;
/** Larger ones are rendered again, because 200 of them would fill the memory. */
const largestDocument = 4 * 1024 ** 2;

/** Recently sent documents, compressed once for all their readers. */
class Documents {
  readonly #drawn = new Map<string, { document: Promise<DrawnDocument>; until: number }>();

  of(key: string, draw: () => Promise<string>): Promise<DrawnDocument> {
    const known = this.#drawn.get(key);
    if (known && known.until > Date.now()) return known.document;
    const document = this.#draw(draw);
    this.#drawn.delete(key);
    this.#drawn.set(key, { document, until: Date.now() + documentLife });
    document.then(
      ({ html }) => html.length > largestDocument && this.#drawn.delete(key),
      () => this.#drawn.delete(key),
    );
    for (const oldest of this.#drawn.keys()) {
      if (this.#drawn.size <= mostDocuments) break;
      this.#drawn.delete(oldest);
    }
    return document;
  }

  async #draw(draw: () => Promise<string>): Promise<DrawnDocument> {
    const html = Buffer.from(await draw());
    const tag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
    return { html, zipped: await zip(html), tag };
  }
}

const zip = promisify(gzip);

/**
 * Links open outside of the frame, because most pages refuse to be framed. The first script also runs where the other site
 * gives the frame an opaque origin; modules do not.
 */
const framedDocument = (page: Page, { mode }: FramedPage): string =>
  `<!doctype html><html lang="en"${mode ? ` data-mantine-color-scheme="${mode}"` : ''}><head><meta charset="utf-8">
<title>${escaped(page.title)}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${mode ?? 'light dark'}"><meta name="robots" content="noindex"><base target="_blank">
<style>${page.style}</style></head><body><main id="page">${page.body}</main>
<script src="/assets/embed-frame.js"></script><script type="module" src="/assets/embed-charts.js"></script></body></html>`;

function documentParts(page: Page, origin: string) {
  const url = origin + page.path;
  const image = page.image ? origin + page.image : null;
  const meta = (key: 'name' | 'property', name: string, content: string | null | undefined) =>
    content ? `<meta ${key}="${name}" content="${escaped(content)}">` : '';
  const head = [
    `<link rel="canonical" href="${escaped(url)}">`,
    page.isIndexed ? '' : '<meta name="robots" content="noindex">',
    meta('property', 'og:type', page.kind ?? 'website'),
    meta('property', 'og:title', page.title),
    meta('property', 'og:description', page.description),
    meta('property', 'og:url', url),
    meta('property', 'og:image', image),
    meta('property', 'article:published_time', page.publishedAt),
    ...(page.authors ?? []).map((author) => meta('name', 'author', author)),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
    ...(page.alternates ?? []).map(
      ({ type, href, title }) =>
        `<link rel="alternate" type="${escaped(type)}" href="${escaped(href.startsWith('/') ? origin + href : href)}" title="${escaped(title)}">`,
    ),
    `<style id="page-style">${page.style}</style>`,
  ];
  return {
    head: head.filter(Boolean).join('\n'),
    title: page.title,
    description: page.description,
    body: `<main id="page">${page.body}</main>`,
  };
}
