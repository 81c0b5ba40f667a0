import type { FramePage } from '@atoll/contract';

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'is_empty' | 'is_not_empty';

export const comparisons: Record<Comparison, string> = {
  contains: 'contains',
  '=': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
};

export interface FrameQuery {
  offset: number;
  limit: number;
  sort: { column: number; is_descending: boolean }[];
  filters: { column: number; comparison: Comparison; value: string }[];
  search: string;
}

export const emptyQuery: FrameQuery = { offset: 0, limit: 10, sort: [], filters: [], search: '' };

/** A page that is within what came with the output; null where the kernel has to be asked. */
export function pageOf(first: FramePage, query: FrameQuery): FramePage | null {
  const isPlain = query.sort.length === 0 && query.filters.length === 0 && query.search === '';
  const until = Math.min(query.offset + query.limit, first.all);
  if (!isPlain || until > first.rows.length) return null;
  return { ...first, rows: first.rows.slice(query.offset, until), offset: query.offset, total: first.all };
}

const grouped = (number: number) => number.toLocaleString('en');

/** How many columns there are; of very many the first are shown. */
export function columnsInWords({ columns, columns_total: all = columns.length }: FramePage): string {
  const words = `${grouped(all)} ${all === 1 ? 'column' : 'columns'}`;
  return all > columns.length ? `the first ${grouped(columns.length)} of ${words}` : words;
}

/** Years stay as they are. */
const leastGrouped = 10_000;

/** A number as people read it: in groups where it is large; what comes of rounding to seventeen digits is in the way. */
export function shownValue(value: string | number | boolean | null): string {
  if (value === null) return 'null';
  if (typeof value !== 'number' || !Number.isFinite(value)) return String(value);
  const isLarge = Math.abs(value) >= leastGrouped;
  if (Number.isInteger(value)) return isLarge ? grouped(value) : String(value);
  const before = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  const rounded = Number(value.toPrecision(Math.min(17, Math.max(6, before + 3))));
  return isLarge ? rounded.toLocaleString('en', { maximumFractionDigits: 12 }) : String(rounded);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A table that an output brings; null where it is none, as files may hold anything. */
export function readFrame(value: unknown): FramePage | null {
  if (!isObject(value) || !Array.isArray(value.columns) || !Array.isArray(value.rows)) return null;
  const columns = value.columns.filter(isObject).map(({ name, type }) => ({
    name: String(name ?? ''),
    type: String(type ?? ''),
  }));
  const rows = value.rows
    .filter((row) => Array.isArray(row))
    .map((row: unknown[]) =>
      row.map((each) =>
        each === null || ['string', 'number', 'boolean'].includes(typeof each)
          ? (each as string | number | boolean | null)
          : JSON.stringify(each),
      ),
    );
  const all = typeof value.all === 'number' ? value.all : rows.length;
  const columns_total = typeof value.columns_total === 'number' ? value.columns_total : columns.length;
  return { frame_id: String(value.frame_id ?? ''), columns, columns_total, rows, offset: 0, total: all, all };
}
