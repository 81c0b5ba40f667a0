import type { ProjectFile } from '@atoll/contract/files/entity';
import { tableFormatOf } from '@atoll/contract/files/tables';
import type { Project } from '@atoll/contract/projects/entity';
import { extensionOf } from '@atoll/contract/projects/kinds';
import { parseTableSearch, type TableSearch } from './table/model.ts';

export const pageViews = ['code', 'data', 'preview'] as const;
export type PageView = (typeof pageViews)[number];

export interface PageSearch extends TableSearch {
  file?: string;
  view?: PageView;
  /** Which run is shown below the file, or the list of them. */
  run?: string;
  /** What lies beside or over the file: what is said about it, or the Share dialog. */
  panel?: 'comments' | 'share';
}

export const allRuns = 'all';

export const parsePageSearch = ({ file, view, run, panel, ...search }: Record<string, unknown>): PageSearch => ({
  file: typeof file === 'string' && file ? file : undefined,
  view: pageViews.find((each) => each === view),
  run: typeof run === 'string' && run ? run : undefined,
  panel: panel === 'comments' || panel === 'share' ? panel : undefined,
  ...parseTableSearch(search),
});

export type PreviewKind = 'markdown' | 'image' | 'pdf' | 'video' | 'audio' | 'html' | 'notebook';

const previews: Record<string, PreviewKind> = {
  md: 'markdown',
  markdown: 'markdown',
  png: 'image',
  apng: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  svg: 'image',
  pdf: 'pdf',
  mp4: 'video',
  html: 'html',
  htm: 'html',
  ipynb: 'notebook',
};

export const isNotebook = (name: string): boolean => extensionOf(name) === 'ipynb';

export const previewOf = (name: string): PreviewKind | null => previews[extensionOf(name)] ?? null;

/** A picture, a film or a PDF has no text to edit. */
const binary = new Set(['png', 'apng', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'pdf', 'mp4', 'zip', 'parquet', 'xlsx']);
const editLimit = 5 * 1024 * 1024;

export const isEditable = ({ name, size }: Pick<ProjectFile, 'name' | 'size'>): boolean =>
  !binary.has(extensionOf(name)) && size <= editLimit;

/** The views a file has, the one it opens in first. A notebook's source is hard to read, so it opens as a page. */
export function viewsOf(file: Pick<ProjectFile, 'name' | 'size'>): PageView[] {
  if (tableFormatOf(file.name)) return isEditable(file) ? ['data', 'code'] : ['data'];
  const preview = previewOf(file.name);
  if (!isEditable(file)) return preview ? ['preview'] : [];
  if (!preview) return ['code'];
  return preview === 'notebook' || preview === 'image' ? ['preview', 'code'] : ['code', 'preview'];
}

/** The file to show: the one asked for, the project's main one, or the first there is. */
export function shownFile(files: ProjectFile[], asked: string | undefined, project: Project): ProjectFile | undefined {
  const find = (id: string | null | undefined) => files.find((file) => file.id === id);
  return find(asked) ?? (asked ? undefined : (find(project.default_file_id) ?? files[0]));
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power ? 1 : 0 })} ${units[power]}`;
}
