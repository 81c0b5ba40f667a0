import type { CellOutput, CellType } from '@atoll/contract';
import type { Fields } from '../fields.ts';
import { type FileCell, isJson, joined, readNotebook } from './read.ts';

export interface WrittenCell {
  id: string;
  type: CellType;
  source: string;
  metadata: Fields;
  attachments: Fields | null;
  /** Null: the outputs are those of the file. */
  shown: { executionCount: number | null; outputs: CellOutput[] } | null;
}

export interface WrittenNotebook {
  metadata: Fields;
  cells: WrittenCell[];
}

/**
 * Writes the file with the changes since `base`. Unchanged parts are written as they were, byte for byte where the file has
 * Jupyter's form: unknown fields, the form of numbers, text as lines or as one.
 */
export function writeNotebook(base: string, { metadata, cells }: WrittenNotebook): string {
  const file = readNotebook(base, parseAsWritten);
  const before = new Map(file.cells.map((cell) => [cell.id, cell]));
  const { nbformat_minor: minor } = file.raw;
  const whole: Fields = {
    // Fields of the file keep their place.
    ...('cells' in file.raw ? {} : { cells: [] }),
    ...file.raw,
    cells: cells.map((cell) => writtenCell(cell, before.get(cell.id) ?? null)),
    metadata: isSame(metadata, file.metadata) ? file.metadata : metadata,
    nbformat: file.raw.nbformat ?? 4,
    nbformat_minor: typeof minor === 'number' ? Math.max(5, minor) : 5,
  };
  return `${JSON.stringify(whole, null, indentOf(base))}${base === '' || base.endsWith('\n') ? '\n' : ''}`;
}

function writtenCell(cell: WrittenCell, before: FileCell | null): Fields {
  const type = cell.type === 'sql' || cell.type === 'input' ? 'code' : cell.type;
  const wasUnknown = before !== null && before.raw.cell_type !== undefined && !known.has(String(before.raw.cell_type));
  if (wasUnknown && cell.source === before.source) return before.raw;
  const old = wasUnknown || !before ? {} : before.raw;
  const { id: _, cell_type: __, metadata: ___, source: ____, outputs, execution_count: count, ...others } = old;
  const { attachments: _____, ...unknown } = others;
  const attachments = before && isSame(cell.attachments, before.attachments) ? others.attachments : cell.attachments;
  const fields: Fields = {
    ...(attachments ? { attachments } : {}),
    cell_type: type,
    ...(type === 'code' ? { execution_count: cell.shown ? cell.shown.executionCount : (count ?? null) } : {}),
    id: cell.id,
    metadata: before && isSame(cell.metadata, before.metadata) ? before.metadata : cell.metadata,
    ...(type === 'code' ? { outputs: cell.shown ? cell.shown.outputs.map(writtenOutput) : (outputs ?? []) } : {}),
    source: before && old.source !== undefined && joined(old.source) === cell.source ? old.source : lines(cell.source),
    ...unknown,
  };
  // Fields keep the order of the file; new ones are sorted by name, as in Jupyter.
  const order = new Map(Object.keys(old).map((name, index) => [name, index]));
  if (order.size === 0) return fields;
  const names = Object.keys(fields).filter((name) => !order.has(name));
  const kept = Object.keys(old).filter((name) => name in fields);
  for (const name of names) {
    const at = kept.findIndex((other) => other > name);
    kept.splice(at < 0 ? kept.length : at, 0, name);
  }
  return Object.fromEntries(kept.map((name) => [name, fields[name]]));
}

const known = new Set(['code', 'markdown', 'raw']);

const lines = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

/** Writes data as Jupyter does: text by lines, pictures as one text, JSON as it is. */
function writtenOutput(output: CellOutput): Fields {
  if (output.output_type === 'stream') return { name: output.name, output_type: 'stream', text: lines(output.text) };
  if (output.output_type === 'error') {
    return { ename: output.ename, evalue: output.evalue, output_type: 'error', traceback: output.traceback };
  }
  const data = Object.fromEntries(
    Object.entries(output.data).map(([type, value]) => [
      type,
      typeof value === 'string' &&
      !isJson(type) &&
      (type.startsWith('text/') || type === 'image/svg+xml' || /javascript$/.test(type))
        ? lines(value)
        : value,
    ]),
  );
  if (output.output_type === 'display_data') return { data, metadata: output.metadata, output_type: 'display_data' };
  const { execution_count, metadata } = output;
  return { data, execution_count, metadata, output_type: 'execute_result' };
}

function indentOf(text: string): number | string {
  if (text === '') return 1;
  const found = /^\{\r?\n([ \t]+)"/.exec(text)?.[1];
  if (found === undefined) return text.includes('\n') ? 1 : 0;
  return found.includes('\t') ? found : found.length;
}

/** Whether two values are the same JSON, however they are written. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  if (isRaw(value)) return Number(JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

/** Numbers that would change their form when written again: 1.0, 1e-7, more digits than fit. */
const unusualNumber = /[[:,]\s*-?(?:\d+\.\d*0[,\s\]}]|[\d.]+[eE][-+\d]|[\d.]{16,}|0[,\s\]}])/;

interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const raw = JSON as unknown as RawJson;
const isRaw = (value: unknown): boolean => raw.isRawJSON(value);

function parseAsWritten(text: string): unknown {
  if (!unusualNumber.test(text)) return JSON.parse(text);
  const revive = (_: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? raw.rawJSON(source) : value;
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
}
