import type { ContentKind } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { articleStyle } from '@atoll/notebook/article-style';
import { escaped } from '../../platform/http/escape.ts';
import type { PageAnswer, PageRoute } from '../../platform/http/pages.ts';
import { assetUrl } from '../uploads/view.ts';
import { atomFeed, robots, rssFeed, sitemap } from './feeds.ts';
import { feedEntries, sitemapEntries } from './service/feeds.ts';
import { type ReadPage, readPage } from './service/page.ts';
import { publicationPath } from './view.ts';

const articleAt = (contentKind: ContentKind): PageRoute => ({
  path: publicationPath({ contentKind, slug: ':slug' }),
  flag: 'publications',
  async answer(ctx, { slug = '' }, query): Promise<PageAnswer> {
    const version = Number.parseInt(query.version ?? '', 10);
    const { publication, key, ...page } = await readPage(ctx, slug, Number.isNaN(version) ? undefined : version);
    const path = publicationPath(publication);
    if (publication.slug !== slug || publication.contentKind !== contentKind)
      return { redirect: path + (Number.isNaN(version) ? '' : `?version=${version}`) };
    return {
      key,
      page: {
        title: publication.title,
        description: publication.description || publication.title,
        path,
        image: assetUrl(publication.coverAssetId),
        kind: 'article',
        isIndexed: publication.accessLevel === 'public' && page.isCurrent,
        publishedAt: publication.publishedAt?.toISOString() ?? null,
        authors: page.authors.map(personName),
        alternates: [
          { type: 'application/atom+xml', href: '/publications.atom', title: 'New publications' },
          { type: 'application/rss+xml', href: '/publications.rss', title: 'New publications' },
          {
            type: 'application/json+oembed',
            href: `/api/atoll/v1/oembed?url=${encodeURIComponent(`${ctx.config.origin}${path}`)}`,
            title: publication.title,
          },
        ],
        // Asked for only when there is no kept document under the key.
        get body() {
          return articleBody(publication, page);
        },
        style: articleStyle,
      },
    };
  },
});

function articleBody(
  { title, description, publishedAt, coverAssetId }: ReadPage['publication'],
  { authors, number, toc, html }: Omit<ReadPage, 'publication' | 'key'>,
): string {
  const contents =
    toc.length > 2
      ? `<nav class="contents" aria-label="Contents"><ol>${toc
          .map(
            ({ level, text, anchor }) =>
              `<li data-level="${level}"><a href="#${escaped(anchor)}">${escaped(text)}</a></li>`,
          )
          .join('')}</ol></nav>`
      : '';
  const date = publishedAt
    ? `<time datetime="${publishedAt.toISOString()}">${publishedAt.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })}</time>`
    : 'Draft';
  const cover = coverAssetId ? `<img class="cover" alt="" src="${escaped(assetUrl(coverAssetId) ?? '')}">` : '';
  return `<article class="article"><header><h1>${escaped(title)}</h1>
${description && `<p class="lead">${escaped(description)}</p>\n`}<p class="byline">${authors.map((author) => escaped(personName(author))).join(', ')} · ${date} · Version ${number}</p>${cover}</header>
${contents}<div class="article-body">${html}</div></article>`;
}

export const publicationPages: PageRoute[] = [
  articleAt('notebooks'),
  articleAt('canvases'),
  articleAt('pasas'),
  articleAt('strategies'),
  {
    path: '/publications.atom',
    flag: 'publications',
    answer: async (ctx) => ({
      content: atomFeed(ctx.config.origin, await feedEntries(ctx)),
      type: 'application/atom+xml; charset=utf-8',
    }),
  },
  {
    path: '/publications.rss',
    flag: 'publications',
    answer: async (ctx) => ({
      content: rssFeed(ctx.config.origin, await feedEntries(ctx)),
      type: 'application/rss+xml; charset=utf-8',
    }),
  },
  {
    path: '/sitemap.xml',
    flag: 'publications',
    answer: async (ctx) => ({
      content: sitemap(ctx.config.origin, await sitemapEntries(ctx)),
      type: 'application/xml; charset=utf-8',
    }),
  },
  {
    path: '/robots.txt',
    answer: async (ctx) => ({ content: robots(ctx.config.origin), type: 'text/plain; charset=utf-8' }),
  },
];
