import type { PublicationListQuery } from '@atoll/contract/publications/endpoints';
import type {
  AccessLevel,
  ContentKind,
  Publication,
  PublicationCategory,
  PublicationType,
  TocEntry,
} from '@atoll/contract/publications/entity';
import { slugLength, slugPattern } from '@atoll/contract/publications/slug';

/** Where one of its kind is read. */
export const readingRoute = (kind: ContentKind) =>
  kind === 'strategies' ? ('/strategies/$slug' as const) : (`/publications/${routedKind(kind)}/$slug` as const);
/** Strategies have no report: they are read on their page. */
export const hasReport = (kind: ContentKind): boolean => kind !== 'strategies';
/** Where it is read on paper, and how it is printed. */
export const reportRoute = (kind: ContentKind) => `/reports/${routedKind(kind)}/$slug` as const;
const routedKind = (kind: ContentKind) => (kind === 'canvases' || kind === 'pasas' ? kind : ('notebooks' as const));

export const typeWords: Record<PublicationType, { one: string; many: string }> = {
  article: { one: 'Article', many: 'Articles' },
  report: { one: 'Report', many: 'Reports' },
  dashboard: { one: 'Dashboard', many: 'Dashboards' },
  agent: { one: 'Agent', many: 'Agents' },
  chat: { one: 'Chat', many: 'Chats' },
  app: { one: 'App', many: 'Apps' },
};

export const categoryWords: Record<PublicationCategory, string> = {
  research: 'Research',
  finance: 'Finance',
  data_science: 'Data science',
  machine_learning: 'Machine learning',
  engineering: 'Engineering',
  education: 'Education',
  news: 'News',
  other: 'Other',
};

export const accessWords: Record<AccessLevel, { label: string; text: string }> = {
  draft: { label: 'Draft', text: 'Only people who can edit the project' },
  collaborator_shared: { label: 'Collaborators', text: 'People the project is shared with' },
  link_shared: { label: 'Anyone with the link', text: 'Not listed, and hidden from search engines' },
  public: { label: 'Public', text: 'Listed in Publications and found by search engines' },
};

export const isPublished = ({ access_level, version_number }: Publication): boolean =>
  access_level !== 'draft' && version_number > 0;

const isKey = <Key extends string>(words: Record<Key, unknown>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(words, value);

export const parseType = (value: unknown): PublicationType | undefined => (isKey(typeWords, value) ? value : undefined);
export const parseCategory = (value: unknown): PublicationCategory | undefined =>
  isKey(categoryWords, value) ? value : undefined;

/** Headings as deep as they are below the highest one; deeper than three is not told. */
export function contentsOf(toc: readonly TocEntry[]): (TocEntry & { depth: number })[] {
  const highest = Math.min(...toc.map(({ level }) => level));
  return toc.map((entry) => ({ ...entry, depth: entry.level - highest })).filter(({ depth }) => depth < 3);
}

export const checkSlug = (slug: string): string | null =>
  slug.length < 3 || slug.length > slugLength
    ? `Use 3 to ${slugLength} characters.`
    : slugPattern.test(slug)
      ? null
      : 'Use small letters, digits and single hyphens.';

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Which version is read, and whether the reader comes to run a copy. */
export const parseReading = ({ version, run }: Record<string, unknown>): { version?: number; run?: 1 } => {
  const number = Number(version);
  return { version: Number.isInteger(number) && number > 0 ? number : undefined, run: run ? 1 : undefined };
};

export const gallerySorts: Record<PublicationListQuery['sort_by'], string> = {
  published_at: 'Newest',
  title: 'Title',
  view_count: 'Most viewed',
  share_count: 'Most shared',
};

export interface GallerySearch {
  search?: string;
  tags?: string[];
  sort_by?: PublicationListQuery['sort_by'];
  page?: number;
}

/** What the address of the gallery says before the question mark. */
export interface GalleryPlace {
  type?: PublicationType;
  category?: PublicationCategory;
}

export function parseGallerySearch({ search, tags, sort_by, page }: Record<string, unknown>): GallerySearch {
  const number = Number(page);
  const named = (Array.isArray(tags) ? tags : [tags]).filter((tag) => typeof tag === 'string' && tag !== '');
  return {
    search: typeof search === 'string' && search ? search.slice(0, 200) : undefined,
    tags: named.length > 0 ? named.slice(0, 20) : undefined,
    sort_by: isKey(gallerySorts, sort_by) && sort_by !== 'published_at' ? sort_by : undefined,
    page: Number.isInteger(number) && number > 0 ? number : undefined,
  };
}

export const publicationsOnPage = 24;

export const toListQuery = ({ type, category }: GalleryPlace, { search, tags, sort_by, page }: GallerySearch) => ({
  type,
  category: category && [category],
  search,
  tags,
  sort_by,
  sort_direction: sort_by === 'title' ? ('asc' as const) : ('desc' as const),
  page: page ?? 0,
  page_size: publicationsOnPage,
});

export const placeName = ({ type, category }: GalleryPlace): string =>
  [category && categoryWords[category], type && typeWords[type].many].filter(Boolean).join(': ') || 'Publications';
