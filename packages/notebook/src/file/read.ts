import type { CellOutput, CellType } from '@atoll/contract';
import { type Fields, fieldsOf, isFields } from '../fields.ts';
import { upgraded } from './upgrade.ts';

/** A cell of a file of any format; `raw` is the file's own object, with unknown fields. */
export interface FileCell {
  id: string;
  type: CellType;
  source: string;
  metadata: Fields;
  attachments: Fields | null;
  executionCount: number | null;
  outputs: CellOutput[];
  raw: Fields;
}

export interface NotebookFile {
  cells: FileCell[];
  metadata: Fields;
  /** Messages about unreadable parts, shown when the file is opened. */
  problems: string[];
  /** Top-level fields of the file. */
  raw: Fields;
}

/** The reason why a file is not a notebook, shown when it is opened. */
export class NotANotebook extends Error {
  readonly kind: 'json' | 'conflict' | 'shape';

  constructor(message: string, kind: NotANotebook['kind'] = 'shape') {
    super(message);
    this.name = 'NotANotebook';
    this.kind = kind;
  }
}

const conflictMark = /^(<{7}|>{7}|={7})( |$)/m;

/** Reads any notebook of format 1 to 4; of a broken one as much as possible. */
export function readNotebook(text: string, parse: (text: string) => unknown = JSON.parse): NotebookFile {
  if (text.trim() === '') return emptyFile();
  let value: unknown;
  try {
    value = parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (conflictMark.test(text)) {
      const advice = 'It has marks of a merge in it (<<<<<<< and >>>>>>>). Decide which side is right in the raw file.';
      throw new NotANotebook(advice, 'conflict');
    }
    throw new NotANotebook(`It is not whole: ${(error as Error).message}`, 'json');
  }
  if (!isFields(value)) throw new NotANotebook('It has no cells.');
  assertReadable(value);
  const problems: string[] = [];
  const raw = upgraded(value, problems);
  if (!Array.isArray(raw.cells)) throw new NotANotebook('It has no cells.');
  const taken = new Set<string>();
  for (const cell of raw.cells) if (isFields(cell) && isCellId(cell.id)) taken.add(cell.id);
  const seen = new Set<string>();
  const cells = raw.cells.map((cell: unknown, index) => {
    const read = readCell(cell, index, problems);
    const own = fieldsOf(cell).id;
    // A cell without an id gets one that is the same whenever this file is read.
    const id = isCellId(own) && !seen.has(own) ? own : freeId(`cell-${index + 1}`, taken);
    seen.add(id);
    taken.add(id);
    return { ...read, id };
  });
  return { cells, metadata: fieldsOf(raw.metadata), problems: summed(problems), raw };
}

/** `depth`: the nesting depth of the value in the file. */
export function assertReadable(value: unknown, depth = 0): void {
  if (isTooDeep(value, depth)) throw new NotANotebook('It has more levels within each other than anybody can read.');
}

const emptyFile = (): NotebookFile => ({
  cells: [
    {
      id: 'cell-1',
      type: 'code',
      source: '',
      metadata: {},
      attachments: null,
      executionCount: null,
      outputs: [],
      raw: {},
    },
  ],
  metadata: {},
  problems: [],
  raw: { metadata: {}, nbformat: 4, nbformat_minor: 5 },
});

const isCellId = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  return id;
}

/** Reports the same fault of a thousand cells as one problem. */
export const summed = (problems: string[]): string[] =>
  problems.length > 20 ? [...problems.slice(0, 20), `And ${problems.length - 20} more.`] : problems;

function readCell(value: unknown, index: number, problems: string[]): Omit<FileCell, 'id'> {
  const nothing = { metadata: {}, attachments: null, executionCount: null, outputs: [] };
  const cell = fieldsOf(value);
  const { cell_type: cellType } = cell;
  if (!isFields(value) || !['code', 'markdown', 'raw'].includes(cellType as string)) {
    problems.push(`Cell ${index + 1} is of no kind that is known; it is shown as it is in the file.`);
    return { ...nothing, type: 'raw', source: JSON.stringify(value, null, 1), raw: cell };
  }
  const metadata = fieldsOf(cell.metadata);
  return {
    type: typeOf(cellType as string, metadata),
    source: joined(cell.source),
    metadata,
    attachments: isFields(cell.attachments) ? cell.attachments : null,
    executionCount: typeof cell.execution_count === 'number' ? cell.execution_count : null,
    outputs: cellType === 'code' && Array.isArray(cell.outputs) ? readOutputs(cell.outputs, index, problems) : [],
    raw: cell,
  };
}

/** The metadata of a code cell has its type in this product. */
export function typeOf(cellType: string, metadata: Fields): CellType {
  const own = fieldsOf(metadata.atoll).type;
  if (cellType === 'code') return own === 'sql' || own === 'input' ? own : 'code';
  return cellType === 'markdown' ? 'markdown' : 'raw';
}

/** A file stores text as a list of lines or as one text. */
export const joined = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((part) => (typeof part === 'string' ? part : '')).join('')
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : '';

export function readOutputs(values: unknown[], index: number, problems: string[]): CellOutput[] {
  return values.flatMap((value) => {
    const read = readOutput(fieldsOf(value));
    if (!read) problems.push(`Cell ${index + 1} shows something that cannot be read.`);
    return read ?? [];
  });
}

function readOutput(value: Fields): CellOutput | null {
  const metadata = fieldsOf(value.metadata);
  switch (value.output_type) {
    case 'stream':
      return { output_type: 'stream', name: value.name === 'stderr' ? 'stderr' : 'stdout', text: joined(value.text) };
    case 'display_data':
      return { output_type: 'display_data', data: readBundle(value.data), metadata };
    case 'execute_result': {
      const count = value.execution_count;
      const execution_count = typeof count === 'number' && Number.isInteger(count) ? count : null;
      return { output_type: 'execute_result', data: readBundle(value.data), metadata, execution_count };
    }
    case 'error': {
      const traceback = Array.isArray(value.traceback) ? value.traceback.map(joined) : [];
      return { output_type: 'error', ename: joined(value.ename), evalue: joined(value.evalue), traceback };
    }
    default:
      return null;
  }
}

/** Joins lists of lines, but not those within JSON. */
const readBundle = (value: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([type, data]) => [
      type,
      Array.isArray(data) && !isJson(type) && data.every((line) => typeof line === 'string') ? data.join('') : data,
    ]),
  );

export const isJson = (type: string): boolean => /^application\/(.*\+)?json$/.test(type);

const deepest = 200;

/** Endless nesting would overflow the stack of later code. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > deepest) return true;
  for (const each of Object.values(value)) if (isTooDeep(each, depth + 1)) return true;
  return false;
}
