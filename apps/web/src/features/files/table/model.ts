import type { Cell, TableColumn, TableFilter } from '@atoll/contract/files/data';
import { type ColumnKind, type FilterOperator, filterOperators } from '@atoll/contract/files/tables';

/** The sorting and filters of a table, which are in the address. */
export interface TableState {
  sort?: { column: string; direction: 'asc' | 'desc' };
  filters: TableFilter[];
  search?: string;
  sheet?: string;
}

/** The same as parts of an address. */
export interface TableSearch {
  sort_by?: string;
  sort_direction?: 'desc';
  where?: string[];
  search?: string;
  sheet?: string;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export function parseTableSearch(search: Record<string, unknown>): TableSearch {
  const where = [search.where].flat().filter((each) => typeof each === 'string' && parseFilter(each) !== null);
  return {
    sort_by: textOf(search.sort_by),
    sort_direction: search.sort_direction === 'desc' ? 'desc' : undefined,
    where: where.length ? (where as string[]) : undefined,
    search: textOf(search.search),
    sheet: textOf(search.sheet),
  };
}

export const toState = ({ sort_by, sort_direction, where = [], search, sheet }: TableSearch): TableState => ({
  ...(sort_by === undefined ? {} : { sort: { column: sort_by, direction: sort_direction ?? 'asc' } }),
  filters: where.flatMap((text) => parseFilter(text) ?? []),
  search,
  sheet,
});

export const toSearch = ({ sort, filters, search, sheet }: TableState): TableSearch => ({
  sort_by: sort?.column,
  sort_direction: sort?.direction === 'desc' ? 'desc' : undefined,
  where: filters.length ? filters.map(writeFilter) : undefined,
  search: search || undefined,
  sheet,
});

const writeFilter = ({ column, operator, value }: TableFilter): string =>
  JSON.stringify(value === undefined ? [column, operator] : [column, operator, value]);

function parseFilter(text: string): TableFilter | null {
  try {
    const [column, operator, value] = JSON.parse(text) as unknown[];
    const isKnown = typeof column === 'string' && filterOperators.includes(operator as FilterOperator);
    const isValue = [value].flat().every((each) => each === undefined || typeof each === 'string');
    if (!isKnown || !isValue) return null;
    return { column, operator: operator as FilterOperator, ...(value === undefined ? {} : { value: value as string }) };
  } catch {
    return null;
  }
}

/** Changes the sort order of a pressed header: ascending, descending, as in the file. */
export function nextSort(sort: TableState['sort'], column: string): TableState['sort'] {
  if (sort?.column !== column) return { column, direction: 'asc' };
  return sort.direction === 'asc' ? { column, direction: 'desc' } : undefined;
}

export const kindWords: Record<ColumnKind, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'True or false',
  time: 'Time',
  other: 'Other',
};

export const operatorsOf: Record<ColumnKind, FilterOperator[]> = {
  text: ['contains', 'equals', 'not_equals', 'one_of', 'is_empty', 'is_not_empty'],
  number: ['equals', 'not_equals', 'greater', 'less', 'between', 'is_empty', 'is_not_empty'],
  boolean: ['equals', 'is_empty', 'is_not_empty'],
  time: ['greater', 'less', 'between', 'equals', 'is_empty', 'is_not_empty'],
  other: ['contains', 'is_empty', 'is_not_empty'],
};

const words: Record<FilterOperator, string> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  greater: 'is greater than',
  less: 'is less than',
  between: 'is between',
  one_of: 'is one of',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
};

export function operatorWords(operator: FilterOperator, kind: ColumnKind): string {
  if (kind === 'time' && operator === 'greater') return 'is after';
  if (kind === 'time' && operator === 'less') return 'is before';
  return words[operator];
}

export const takesValue = (operator: FilterOperator) => operator !== 'is_empty' && operator !== 'is_not_empty';

export function filterWords({ column, operator, value }: TableFilter, kind: ColumnKind = 'text'): string {
  const values = [value ?? []].flat();
  const joined = operator === 'between' ? values.join(' and ') : values.join(', ');
  return [column, operatorWords(operator, kind), joined].filter(Boolean).join(' ');
}

/** Converts a typed value for an operator, or returns the reason why it is invalid. */
export function filterValue(
  operator: FilterOperator,
  kind: ColumnKind,
  [first, second]: [string, string],
): { value?: string | string[] } | { problem: string } {
  if (!takesValue(operator)) return {};
  const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));
  const checked = operator === 'between' ? [first, second] : [first];
  if (kind === 'number' && !checked.every(isNumber)) return { problem: 'Enter a number' };
  if (checked.some((text) => text === '')) return { problem: 'Enter a value' };
  if (operator === 'between') return { value: [first, second] };
  if (operator !== 'one_of') return { value: first };
  const list = first
    .split('\n')
    .map((text) => text.trim())
    .filter(Boolean);
  return list.length ? { value: list } : { problem: 'Enter a value on each line' };
}

/** A cell as shown on the screen; null for an empty one. */
export function cellText(value: Cell | undefined, kind: ColumnKind): string | null {
  if (value === null || value === undefined) return null;
  return kind === 'time' ? String(value).replace('T', ' ') : String(value);
}

/** The same for reading: large numbers in groups. */
export const shownText = (value: Cell | undefined, kind: ColumnKind): string | null =>
  typeof value === 'number' && Math.abs(value) >= leastGrouped
    ? value.toLocaleString('en', { maximumFractionDigits: 12 })
    : cellText(value, kind);

/** Years are shown without groups of digits. */
const leastGrouped = 10_000;

/** Formats rows for a spreadsheet: tabs between cells, quotes only where a cell would break the rows. */
export const toTsv = (rows: Cell[][]): string =>
  rows
    .map((row) =>
      row
        .map((value) => {
          const text = value === null ? '' : String(value);
          return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        })
        .join('\t'),
    )
    .join('\n');

const narrowest = 72;
const widest = 320;

/** A width for the name and the first rows, within limits. */
export function usualWidth(column: TableColumn, index: number, rows: Cell[][]): number {
  const longest = rows
    .slice(0, 50)
    .reduce((most, row) => Math.max(most, (shownText(row[index], column.kind) ?? '').length), 0);
  // All digits are as wide as the widest digit.
  const letter = column.kind === 'text' ? 7.6 : 8.3;
  const width = Math.max(column.name.length * 7.6 + 64, longest * letter + 26);
  return Math.round(Math.max(narrowest, Math.min(widest, width)));
}

/** A browser cannot scroll over more than some ten million pixels, so a very long table is shown in blocks. */
export const blockSize = 200_000;

export const grouped = (value: number): string => value.toLocaleString('en');

export function figure(value: Cell, kind: ColumnKind): string {
  if (value === null) return '–';
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumSignificantDigits: 7 })
    : (cellText(value, kind) ?? '–');
}
