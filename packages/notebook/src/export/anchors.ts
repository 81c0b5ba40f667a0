import { slugFrom, slugLength } from '@atoll/contract/publications/slug';

/**
 * Prefix of all anchors of an article, because an element whose id is a global name of the page (`root`, `process`) would
 * be found in its place. Links within the article get the prefix, too.
 */
export const anchorPrefix = 'at-';

/** Removes spaces from an id. A link copied from the address of the article has the prefix already. */
export const anchorId = (name: string): string => {
  const plain = name.trim().replace(/\s+/g, '-');
  return plain.startsWith(anchorPrefix) ? plain : anchorPrefix + plain;
};

export function decodedFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Makes Latin headings into slugs as in addresses of publications; letters of other scripts stay. */
const headingSlug = (text: string): string =>
  /(?!\p{Script=Latin})\p{L}/u.test(text)
    ? text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
        .slice(0, slugLength)
        .replace(/^-+|-+$/g, '')
    : slugFrom(text);

/** Gives each heading of an article an anchor of its own, and Jupyter's anchor where that is another. */
export class HeadingAnchors {
  readonly #taken = new Map<string, number>();
  readonly #jupyter = new Set<string>();

  add(text: string): { anchor: string; jupyter: string | null } {
    const base = headingSlug(text) || 'section';
    const taken = this.#taken.get(base) ?? 0;
    this.#taken.set(base, taken + 1);
    const anchor = anchorId(taken === 0 ? base : `${base}-${taken + 1}`);
    const jupyter = anchorId(text);
    const isNew = text !== '' && jupyter !== anchor && !this.#jupyter.has(jupyter);
    if (isNew) this.#jupyter.add(jupyter);
    return { anchor, jupyter: isNew ? jupyter : null };
  }
}

/** Resolves links to headings as other tools write them: GitHub's have more hyphens, and people write another case. */
export function withKnownAnchors(html: string): string {
  if (!html.includes('href="#')) return html;
  const ids = new Set([...html.matchAll(/<[a-z][^<>]* id="(at-[^"]*)"/g)].map(([, id = '']) => id));
  const byText = new Map([...ids].map((id) => [headingSlug(id), id]));
  return html.replace(/(<a [^<>]*href="#)(at-[^"]*)/g, (whole, start: string, id: string) => {
    const known = ids.has(id) ? undefined : byText.get(headingSlug(id));
    return known === undefined ? whole : start + known;
  });
}
