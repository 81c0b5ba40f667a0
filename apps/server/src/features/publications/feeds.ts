import type { Publication } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { escaped } from '../../platform/http/escape.ts';
import { assetsPath } from '../uploads/view.ts';

/** XML 1.0 has no other characters; one of them would make the whole document unreadable. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const notXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const inXml = (text: string) => escaped(text.replace(notXml, ''));

/** RFC 4287. */
export function atomFeed(origin: string, entries: Publication[]): string {
  const updated = entries[0]?.updated_at ?? '1970-01-01T00:00:00Z';
  const items = entries.map(
    (each) => `<entry><id>urn:uuid:${each.id}</id><title>${inXml(each.title)}</title>
<link href="${inXml(origin + each.path)}"/><updated>${each.updated_at}</updated>${each.published_at ? `<published>${each.published_at}</published>` : ''}
${each.authors.map((author) => `<author><name>${inXml(personName(author))}</name></author>`).join('')}<summary>${inXml(each.description)}</summary>
${each.tags.map(({ name }) => `<category term="${inXml(name)}"/>`).join('')}</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${inXml(origin)}/publications</id><title>Publications</title>
<link rel="self" href="${inXml(origin)}/publications.atom"/><link href="${inXml(origin)}/publications"/><updated>${updated}</updated>
${items.join('\n')}
</feed>
`;
}

const rssDate = (time: string): string => new Date(time).toUTCString();

/** RSS 2.0, for readers that know no Atom. */
export function rssFeed(origin: string, entries: Publication[]): string {
  const items = entries.map(
    (each) => `<item><guid isPermaLink="false">urn:uuid:${each.id}</guid><title>${inXml(each.title)}</title>
<link>${inXml(origin + each.path)}</link>${each.published_at ? `<pubDate>${rssDate(each.published_at)}</pubDate>` : ''}
${each.authors.map((author) => `<dc:creator>${inXml(personName(author))}</dc:creator>`).join('')}<description>${inXml(each.description)}</description>
${each.tags.map(({ name }) => `<category>${inXml(name)}</category>`).join('')}</item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Publications</title><link>${inXml(origin)}/publications</link><description>New publications</description>
<atom:link rel="self" type="application/rss+xml" href="${inXml(origin)}/publications.rss"/>${entries[0] ? `<lastBuildDate>${rssDate(entries[0].updated_at)}</lastBuildDate>` : ''}
${items.join('\n')}
</channel></rss>
`;
}

export const sitemap = (origin: string, entries: { path: string; updatedAt: Date }[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${inXml(origin)}/publications</loc></url>
${entries.map(({ path, updatedAt }) => `<url><loc>${inXml(origin + path)}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`).join('\n')}
</urlset>
`;

/** The pictures that pages name for previews are assets of the API. */
export const robots = (origin: string): string =>
  `User-agent: *\nAllow: /publications\nAllow: /assets/\nAllow: ${assetsPath}/\nDisallow: /\nSitemap: ${origin}/sitemap.xml\n`;
