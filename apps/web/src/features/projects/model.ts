import { tableFormatOf } from '@atoll/contract/files/tables';
import type { Platform } from '@atoll/contract/platforms';
import type { ProjectListQuery } from '@atoll/contract/projects/endpoints';
import type { Project, Template } from '@atoll/contract/projects/entity';
import { type ProjectKind, projectKinds } from '@atoll/contract/projects/kinds';

type Mode = ProjectListQuery['mode'];
export type ModeFilter = NonNullable<ProjectListQuery['mode_filter']>[number];
export type SortBy = ProjectListQuery['sort_by'];

/** The list's whole state, as it stands in the address; what is left out has its usual value. */
export interface ListSearch {
  /** A list of something else, which a feature brings. */
  tab?: string;
  mode?: Mode;
  mode_filter?: ModeFilter[];
  view?: 'cards' | 'table';
  search?: string;
  page?: number;
  page_size?: number;
  sort_by?: SortBy;
  sort_direction?: 'asc' | 'desc';
  tags?: string[];
  type?: ProjectKind[];
  is_filtering?: boolean;
}

export const modes: Record<Mode, string> = {
  my: 'Mine',
  shared: 'Shared with me',
  community: 'Community',
  all: 'All',
};

export const sorts: Record<SortBy, string> = {
  updated_at: 'Last updated',
  created_at: 'Newest',
  name: 'Name',
  last_view: 'Last opened',
  views: 'Views',
  clone_count: 'Clones',
  shares: 'Shares',
};

export const modeFilters: Record<Exclude<ModeFilter, 'deleted'>, string> = {
  owned: 'Owned by me',
  authored: 'Authored by me',
  public: 'Public',
  private: 'Private',
};

export const pageSizes = [24, 48, 100];
export const usualPageSize = 48;

export function parseListSearch(search: Record<string, unknown>): ListSearch {
  const filters = several(search.mode_filter).filter(
    (each): each is ModeFilter => each === 'deleted' || Object.hasOwn(modeFilters, each),
  );
  const kinds = several(search.type).filter((each) => projectKinds.includes(each as ProjectKind)) as ProjectKind[];
  const size = Number(search.page_size);
  return usual({
    tab: typeof search.tab === 'string' && search.tab ? search.tab : undefined,
    mode: oneOf(modes, search.mode),
    mode_filter: filters,
    view: search.view === 'table' ? 'table' : undefined,
    search: typeof search.search === 'string' ? search.search.slice(0, 200) : undefined,
    page: Math.floor(Number(search.page)),
    page_size: pageSizes.includes(size) ? size : undefined,
    sort_by: oneOf(sorts, search.sort_by),
    sort_direction: search.sort_direction === 'asc' ? 'asc' : search.sort_direction === 'desc' ? 'desc' : undefined,
    tags: several(search.tags).slice(0, 20),
    type: kinds,
    is_filtering: String(search.is_filtering) === 'true',
  });
}

/** Leaves out what says nothing, so that addresses stay short. */
export function usual(search: ListSearch): ListSearch {
  const sortBy = search.sort_by === 'updated_at' ? undefined : search.sort_by;
  return {
    tab: search.tab,
    mode: search.mode === 'my' ? undefined : search.mode,
    mode_filter: search.mode_filter?.length ? search.mode_filter : undefined,
    view: search.view === 'cards' ? undefined : search.view,
    search: search.search?.trim() ? search.search : undefined,
    page: search.page && search.page > 1 ? search.page : undefined,
    page_size: search.page_size === usualPageSize ? undefined : search.page_size,
    sort_by: sortBy,
    sort_direction: search.sort_direction === usualDirection(sortBy) ? undefined : search.sort_direction,
    tags: search.tags?.length ? search.tags : undefined,
    type: search.type?.length ? search.type : undefined,
    is_filtering: search.is_filtering || undefined,
  };
}

/** Names read from A; everything else is wanted newest or most first. */
export const usualDirection = (sort: SortBy = 'updated_at'): 'asc' | 'desc' => (sort === 'name' ? 'asc' : 'desc');

export const isBin = (search: ListSearch): boolean => search.mode_filter?.includes('deleted') ?? false;

/** Whether anything narrows the list: an empty answer then means something else. */
export const isNarrowed = ({ search, tags, type, mode_filter }: ListSearch): boolean =>
  Boolean(search || tags || type || mode_filter?.some((filter) => filter !== 'deleted'));

export const toQuery = (search: ListSearch) => ({
  mode: search.mode ?? 'my',
  mode_filter: search.mode_filter,
  search: search.search?.trim(),
  page: search.page ?? 1,
  page_size: search.page_size ?? usualPageSize,
  sort_by: search.sort_by ?? 'updated_at',
  sort_direction: search.sort_direction ?? usualDirection(search.sort_by),
  tags: search.tags,
  type: search.type,
});

const several = (value: unknown): string[] =>
  [value].flat().filter((each) => typeof each === 'string' && each !== '') as string[];

const oneOf = <Key extends string>(known: Record<Key, unknown>, value: unknown): Key | undefined =>
  typeof value === 'string' && Object.hasOwn(known, value) ? (value as Key) : undefined;

export const licenseWords: Record<Project['license'], string> = {
  none: 'None: all rights reserved',
  mit: 'MIT',
  'apache-2.0': 'Apache 2.0',
  'bsd-3-clause': 'BSD 3-Clause',
  'gpl-3.0': 'GPL 3.0',
  'cc0-1.0': 'CC0: public domain',
  'cc-by-4.0': 'CC BY 4.0',
  'cc-by-sa-4.0': 'CC BY-SA 4.0',
  'cc-by-nc-4.0': 'CC BY-NC 4.0',
};

const featuredNames: Record<'usual' | 'trading', string[]> = {
  usual: ['explore-csv', 'charts', 'sql', 'forecast', 'canvas-dashboard', 'strategy-moving-average-cross'],
  trading: [
    'strategy-moving-average-cross',
    'strategy-breakout',
    'strategy-breakout-python',
    'explore-csv',
    'charts',
    'canvas-dashboard',
  ],
};

/** Six to begin with; a variant leads with what it is about. */
export function featuredTemplates(templates: readonly Template[], platform: Platform): Template[] {
  const names = featuredNames[platform === 'crypto' ? 'trading' : 'usual'];
  return names.flatMap((name) => templates.find((template) => template.name === name) ?? []);
}

interface TemplateGroup {
  label: string;
  templates: Template[];
}

/** In the order of the gallery; a group without a match is left out. */
export function groupTemplates(templates: readonly Template[], search: string): TemplateGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ title, description, tags }: Template) => {
    const text = [title, description, ...tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const labels: Partial<Record<ProjectKind, string>> = {
    notebook: 'Notebooks',
    canvas: 'Canvases and dashboards',
    strategy: 'Strategies',
  };
  const groups = Object.groupBy(templates.filter(fits), ({ kind }) => labels[kind] ?? 'More');
  return Object.entries(groups).map(([label, entries]) => ({ label, templates: entries ?? [] }));
}

/** Files that a project can be created from. */
export const uploadableFiles = '.ipynb,.mpsw,.zip,.csv,.tsv,.json,.jsonl,.parquet,.xlsx,.gz';
export const isUploadable = (name: string): boolean =>
  /\.(ipynb|mpsw|zip)$/i.test(name) || tableFormatOf(name) !== null;
