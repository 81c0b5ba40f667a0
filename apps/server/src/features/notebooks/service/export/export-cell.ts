import type { CellOutput } from '@atoll/contract';
import type { Context } from '../../../../platform/context.ts';
import { invalidField } from '../../../../platform/errors.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { type Address, requireNotebookFile } from '../address.ts';
import { allOutputsOf } from '../cells/shown.ts';
import { readCell } from '../document/embedded.ts';
import { saveNotebook } from '../save.ts';

export const cellExportTypes = ['png', 'svg', 'csv', 'xlsx', 'json'] as const;
type CellExportType = (typeof cellExportTypes)[number];

interface Wanted {
  cellId: string;
  type: CellExportType;
  /** The index among the outputs of the cell; by default the first output that supports the format. */
  outputIndex: number | undefined;
}

const mimeTypes: Record<CellExportType, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
};

/** Exports all stored outputs of a cell as a file. */
export async function exportCell(ctx: Context, address: Address, { cellId, type, outputIndex }: Wanted) {
  const { abilities } = await requireProject(ctx, ctx.db, address.projectId, 'project.export_data');
  // Outputs need the same right as the code, because they can reveal it.
  if (!abilities.includes('view_source')) await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  const file = await requireNotebookFile(ctx.db, address);
  await saveNotebook(ctx, address.fileId);
  const all = await readCell(ctx, address, cellId, ({ cell, blob }) => allOutputsOf(ctx, cell, blob));
  const outputs = outputIndex === undefined ? all : all.slice(outputIndex, outputIndex + 1);
  const name = `${file.path.replace(/\.(ipynb|mpsw)$/i, '')}-${cellId}.${type}`;
  return { name, content: await written(type, outputs), mimeType: mimeTypes[type] };
}

async function written(type: CellExportType, outputs: CellOutput[]): Promise<Buffer> {
  const data = outputs.flatMap((output) => ('data' in output ? [output.data] : []));
  if (type === 'png' || type === 'svg') {
    const picture = data.map((bundle) => bundle[type === 'png' ? 'image/png' : 'image/svg+xml']).find(isText);
    if (picture === undefined) throw invalidField('type', `This cell shows no picture as ${type}`);
    return Buffer.from(picture, type === 'png' ? 'base64' : 'utf8');
  }
  const [table] = data.flatMap((bundle) => tableOf(bundle['application/vnd.atoll.dataframe+json']) ?? []);
  if (type === 'json') {
    if (table) return asJson(records(table));
    const json = data.find((bundle) => 'application/json' in bundle);
    return asJson(json ? json['application/json'] : outputs);
  }
  if (!table) throw invalidField('type', 'This cell shows no table');
  return type === 'csv' ? Buffer.from(asCsv(table)) : asWorkbook(table);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, null, 2));

type Value = string | number | boolean | null;
interface Table {
  columns: string[];
  rows: Value[][];
}

/** Reads a table of a file with any content; null for an invalid one. */
function tableOf(value: unknown): Table | null {
  const { columns, rows } = (value ?? {}) as { columns?: { name?: unknown }[]; rows?: unknown[] };
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null;
  const plain = (each: unknown): Value =>
    each === null || ['string', 'number', 'boolean'].includes(typeof each) ? (each as Value) : JSON.stringify(each);
  return {
    columns: columns.map((column) => String(column?.name ?? '')),
    rows: rows.map((row) => columns.map((_, index) => plain((row as unknown[])[index] ?? null))),
  };
}

/** Returns rows as objects, as many programs expect; a second column of the same name gets a number. */
function records({ columns, rows }: Table): Record<string, Value>[] {
  const taken = new Map<string, number>();
  const names = columns.map((name) => {
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
}

/**
 * Writes RFC 4180. Values stay unchanged, also those that a spreadsheet reads as formulas, as spreadsheets do themselves.
 */
function asCsv({ columns, rows }: Table): string {
  const field = (value: Value): string => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** Limits of one cell and one sheet of a workbook. */
const longestText = 32_767;
const mostRows = 1_048_575;
const mostColumns = 16_384;

/** Text that begins with = stays text and does not become a formula. */
async function asWorkbook({ columns, rows }: Table): Promise<Buffer> {
  if (rows.length > mostRows || columns.length > mostColumns)
    throw invalidField('type', 'This table is larger than a workbook can be. Export it as csv.');
  const cell = (value: Value) => {
    if (value === null) return null;
    if (typeof value === 'number') return { type: Number, value };
    if (typeof value === 'boolean') return { type: Boolean, value };
    return { type: String, value: value.slice(0, longestText) };
  };
  const head = columns.map((value) => ({
    type: String,
    value: value.slice(0, longestText),
    fontWeight: 'bold' as const,
  }));
  const { default: writeWorkbook } = await import('write-excel-file/node');
  return writeWorkbook([head, ...rows.map((row) => row.map(cell))]).toBuffer();
}
