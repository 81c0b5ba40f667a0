import type { Publication } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { escaped } from '../../platform/http/escape.ts';

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

export const sitemap = (origin: string, entries: { path: string; updatedAt: Date }[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${inXml(origin)}/publications</loc></url>
${entries.map(({ path, updatedAt }) => `<url><loc>${inXml(origin + path)}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`).join('\n')}
</urlset>
`;

export const robots = (origin: string): string =>
  `User-agent: *\nAllow: /publications\nAllow: /assets/\nDisallow: /\nSitemap: ${origin}/sitemap.xml\n`;
