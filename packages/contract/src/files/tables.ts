import { extensionOf } from '../projects/kinds.ts';

/** Files that are tables, and how they are read. */
const formats = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  parquet: 'parquet',
  xlsx: 'xlsx',
} as const;
export type TableFormat = (typeof formats)[keyof typeof formats];

/** What is compressed within already is not compressed again. */
const wholeFormats: readonly TableFormat[] = ['parquet', 'xlsx'];

/** `tides.csv.gz` is read as `tides.csv`. */
export function tableFormatOf(name: string): TableFormat | null {
  const plain = name.replace(/\.(gz|zst)$/i, '');
  const format = (formats as Record<string, TableFormat>)[extensionOf(plain)] ?? null;
  return plain !== name && format && wholeFormats.includes(format) ? null : format;
}

export const columnKinds = ['text', 'number', 'boolean', 'time', 'other'] as const;
export type ColumnKind = (typeof columnKinds)[number];

export const filterOperators = [
  'equals',
  'not_equals',
  'contains',
  'greater',
  'less',
  'between',
  'is_empty',
  'is_not_empty',
  'one_of',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Of more values in a column, how many are distinct is an estimate. */
export const mostCountedExactly = 1_000_000;
