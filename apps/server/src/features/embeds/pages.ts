import { baseName, type EmbedType, embedRunPath, embedTypes } from '@atoll/contract';
import { articleStyle } from '@atoll/notebook/article-style';
import { z } from 'zod';
import { anonymous } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { escaped } from '../../platform/http/escape.ts';
import type { PageAnswer, PageRoute } from '../../platform/http/pages.ts';
import { readSource } from '../publications/service/read.ts';
import { publicationPath } from '../publications/view.ts';
import { drawnPart, drawnPublication } from './service/drawn.ts';
import { type EmbeddedFile, findEmbed } from './service/embeds.ts';
import { ancestorsOf } from './sites.ts';

/** As tall as what is in it: its page gives it the height. */
const style = `${articleStyle}html,body{margin:0;background:var(--article-page)}#page{min-height:0;padding:.75rem 1rem}.article{max-width:none;font-size:1rem}.article iframe{width:100%;border:0;display:block}`;

interface Framed {
  title: string;
  body: string;
  ancestors: string[];
  query: Record<string, string>;
  path: string;
  status?: number;
  /** Names what is shown. */
  key?: string;
}

const modeOf = ({ theme }: Query) => (theme === 'light' || theme === 'dark' ? theme : null);

const framed = ({ title, body, ancestors, query, path, status = 200, key }: Framed): PageAnswer => ({
  ...(key ? { key: `embed ${key} ${title} ${modeOf(query)}` } : {}),
  page: {
    status,
    title,
    description: title,
    path,
    isIndexed: false,
    body: `<div class="article">${body}</div>`,
    style,
    framed: {
      mode: modeOf(query),
      ancestors,
    },
  },
});

type Query = Record<string, string>;

/** Says nothing about why: there may never have been one. */
const off = (query: Query): PageAnswer =>
  framed({
    status: 404,
    title: 'This embed is off',
    body: '<p class="note">This embed is off. Its author can turn it on in the notebook.</p>',
    ancestors: ['*'],
    query,
    path: '/',
  });

type Answer = PageRoute['answer'];
type Context = Parameters<Answer>[0];

async function shown(ctx: Context, found: EmbeddedFile | null, type: EmbedType, entityId: string, query: Query) {
  const body = found ? await drawnPart(ctx, found.file, type, entityId) : '';
  if (!found || (body === '' && type !== 'file')) return off(query);
  const { embed } = found;
  return framed({
    title: baseName(found.file.path),
    body:
      (body || '<p class="note">This notebook is empty.</p>') +
      (embed.isExecutionEnabled ? `<p class="note">${runLink(embedRunPath(embed.id))}</p>` : ''),
    ancestors: ancestorsOf(embed.allowedSites),
    query,
    path: '/',
    key: `${found.file.blob} ${type} ${type === 'file' ? '' : entityId} ${embed.isExecutionEnabled && embed.id}`,
  });
}

/**
 * A frame on another site has no session, and code that runs is paid by who runs it: the link leads to a page of the product,
 * in a window of its own, where the reader says yes.
 */
const runLink = (path: string) => `<a href="${escaped(path)}">Run a copy</a>`;

const address = z.object({ projectId: z.uuid(), fileId: z.uuid(), entityId: z.string().max(64) });

const ofPart =
  (typeOf: (params: Query) => string): Answer =>
  async (ctx, params, query) => {
    const type = embedTypes.find((each) => each === typeOf(params));
    const parsed = address.safeParse(params);
    if (!type || !parsed.success) return off(query);
    const { projectId, fileId, entityId } = parsed.data;
    return shown(ctx, await findEmbed(ctx, { projectId, fileId }), type, entityId, query);
  };

const pages: PageRoute[] = [
  { path: '/embed/:type/:projectId/:fileId/:entityId', answer: ofPart(({ type }) => type ?? '') },
  // As they were before there were types.
  { path: '/embed/:projectId/:fileId/:entityId', answer: ofPart(() => 'cell') },
  {
    path: '/embed/canvas/:embedId',
    async answer(ctx, { embedId }, query) {
      const parsed = z.uuid().safeParse(embedId);
      const found = parsed.success ? await findEmbed(ctx, { embedId: parsed.data }) : null;
      return shown(ctx, found, 'file', '', query);
    },
  },
  {
    path: '/embed/publication/:slug',
    async answer(ctx, { slug = '' }, query) {
      // As everyone reads it: the frame of another site knows no session.
      const found = await readSource(ctx.as(anonymous), slug).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      if (!found) return off(query);
      const { publication, version } = found;
      const path = publicationPath(publication);
      const run = publication.isExecutionEnabled ? ` · ${runLink(`${path}?run=1`)}` : '';
      const link = `<p class="note"><a href="${escaped(path)}">${escaped(publication.title)}</a>${run}</p>`;
      return framed({
        title: publication.title,
        body: (await drawnPublication(ctx, publication, version)) + link,
        ancestors: ['*'],
        query,
        path,
        key: `${publication.slug} ${version.id} ${publication.isExecutionEnabled}`,
      });
    },
  },
];

export const embedPages = pages.map((page): PageRoute => ({ ...page, flag: 'publish' }));
