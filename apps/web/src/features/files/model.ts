import type { ProjectFile } from '@atoll/contract/files/entity';
import type { Project } from '@atoll/contract/projects/entity';
import { parseTableSearch, type TableSearch } from './table/model.ts';

export interface PageSearch extends TableSearch {
  file?: string;
  /** One of the views of the file's kind. */
  view?: string;
  /** The run shown below the file, or the list of runs. */
  run?: string;
  /** A panel beside or over the file that a link can open, or the Share dialog. */
  panel?: string;
}

export const allRuns = 'all';

export const parsePageSearch = ({ file, view, run, panel, ...search }: Record<string, unknown>): PageSearch => ({
  file: textOf(file),
  view: textOf(view),
  run: textOf(run),
  panel: textOf(panel),
  ...parseTableSearch(search),
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

/** Returns the file to show: the requested one, the project's main one, or the first. */
export function shownFile(files: ProjectFile[], asked: string | undefined, project: Project): ProjectFile | undefined {
  const find = (id: string | null | undefined) => files.find((file) => file.id === id);
  return find(asked) ?? (asked ? undefined : (find(project.default_file_id) ?? files[0]));
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
export function formatSize(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power ? 1 : 0 })} ${units[power]}`;
}
