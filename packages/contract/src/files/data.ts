import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, text } from '../fields.ts';
import { columnKinds, type FilterOperator, filterOperators } from './tables.ts';

const operand = text(1_000);
const operandProblem: Partial<Record<FilterOperator, (value: string | string[] | undefined) => string | null>> = {
  is_empty: (value) => (value === undefined ? null : 'Takes no value'),
  is_not_empty: (value) => (value === undefined ? null : 'Takes no value'),
  between: (value) => (Array.isArray(value) && value.length === 2 ? null : 'Takes two values'),
  one_of: (value) => (Array.isArray(value) ? null : 'Takes a list of values'),
};
const oneOperand = (value: string | string[] | undefined) => (typeof value === 'string' ? null : 'Takes one value');

export const tableFilter = z
  .strictObject({
    column: text(1_000),
    operator: z.enum(filterOperators),
    value: z.union([operand, z.array(operand).min(1).max(100)]).optional(),
  })
  .superRefine(({ operator, value }, context) => {
    const message = (operandProblem[operator] ?? oneOperand)(value);
    if (message) context.addIssue({ code: 'custom', path: ['value'], message });
  });
export type TableFilter = z.infer<typeof tableFilter>;

/** Which rows of which table. */
const selection = z.strictObject({
  id,
  fileId: id,
  version_id: id.optional(),
  sheet: text(200).optional().describe('A sheet of a workbook; the first by default'),
  filters: z.array(tableFilter).max(50).default([]).describe('`filters[0][column]=a&filters[0][operator]=equals&…`'),
  search: text(200).optional().describe('Rows with this text in any column'),
});

export const cell = z.union([z.string(), z.number(), z.boolean()]).nullable();
export type Cell = z.infer<typeof cell>;

const column = z.object({ name: z.string(), type: z.string().describe("DuckDB's type"), kind: z.enum(columnKinds) });
export type TableColumn = z.infer<typeof column>;

const count = z.int().min(0);

/** What is true of a table that is still being read in: ask again. */
const completeness = {
  is_complete: z.boolean().describe('False while a large file is still being read: ask again'),
  progress: z.number().min(0).max(1).nullable(),
};

export const tablePage = z.object({
  columns: z.array(column),
  rows: z
    .array(z.array(cell))
    .describe('Numbers that JSON cannot carry exactly are texts; times are ISO 8601; nested values are JSON text'),
  page: count,
  page_size: count,
  total: count.nullable().describe('Rows that pass the filters; null while unknown'),
  total_rows: count.nullable().describe('All rows; null while unknown'),
  sheets: z.array(z.string()).nullable(),
  sheet: z.string().nullable(),
  ...completeness,
});
export type TablePage = z.infer<typeof tablePage>;

export const columnStatistics = z.object({
  name: z.string(),
  type: z.string(),
  kind: z.enum(columnKinds),
  count: count.describe('Rows that pass the filters'),
  nulls: count,
  distinct: count.describe('Of more than a million values approximately'),
  min: cell,
  max: cell,
  mean: cell,
  quantiles: z.array(z.object({ share: z.number(), value: cell })),
  histogram: z.array(z.object({ from: cell, to: cell, count })),
  top: z.array(z.object({ value: cell, count })).describe('The most frequent values'),
});
export type ColumnStatistics = z.infer<typeof columnStatistics>;

const tag = 'Files';

export const fileDataEndpoints = {
  data: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}/data', {
    permission: 'project.view_source',
    tag,
    summary: 'Rows of a csv, tsv, json, parquet or xlsx file',
    description: 'A large file answers its first rows while it is still being read in (`is_complete` is false).',
  })
    .input(
      selection.extend({
        page: z.coerce.number().int().min(1).max(10_000_000).default(1),
        page_size: z.coerce.number().int().min(1).max(1_000).default(100),
        sort_by: text(1_000).optional(),
        sort_direction: z.enum(['asc', 'desc']).default('asc'),
      }),
    )
    .output(tablePage),

  dataStatistics: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}/data/statistics', {
    permission: 'project.view_source',
    tag,
    summary: 'Statistics of a column',
  })
    .input(selection.extend({ column: text(1_000) }))
    .output(z.object({ statistics: columnStatistics.nullable().describe('Null until read in'), ...completeness })),
};
