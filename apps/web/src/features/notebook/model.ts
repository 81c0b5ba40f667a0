import type { CellExecution, CellShown, CellType, DocumentCell, NewCell, Notebook } from '@atoll/contract';
import type { CellOutputChange, Execution } from '@atoll/contract/kernels/entity';
import { withChanges } from '../outputs/changes.ts';

export const nothingShown: CellShown = {
  execution_count: null,
  execution: null,
  outputs: [],
  outputs_total: 0,
  outputs_bytes: 0,
};

/** Splits a cell of the loaded notebook into its document part and its outputs. */
export function parted(cell: Notebook['cells'][number]): [DocumentCell, CellShown] {
  const { execution_count, execution, outputs, outputs_total, outputs_bytes, ...document } = cell;
  return [document, { execution_count, execution, outputs, outputs_total, outputs_bytes }];
}

/** A valid nbformat id that is short enough to be read in a file. */
export const newCellId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16);

export const newCell = (type: CellType, fields: Partial<NewCell> = {}): NewCell => ({
  id: newCellId(),
  type,
  source: '',
  metadata: {},
  attachments: null,
  ...fields,
});

export const isEnded = ({ state }: Pick<Execution, 'state'>): boolean => state !== 'waiting' && state !== 'running';

/** Applies the received output changes of an execution to a cell; null where one of them is missing. */
export function withExecution(before: CellShown, execution: Execution, changes: CellOutputChange[]): CellShown | null {
  const isSame = before.execution?.id === execution.id;
  const known: CellShown = isSame ? before : nothingShown;
  const isOld = isSame && before.execution && isEnded(before.execution) && !isEnded(execution);
  const { cell: _, ...fields } = execution;
  const next: CellExecution = { ...fields, user: isSame ? (before.execution?.user ?? null) : null };
  const more = changes.findLast((change) => change.type === 'more');
  const isCut = known.outputs_total > known.outputs.length;
  const fitting = isCut ? fittingChanges(known.outputs.length, changes) : changes;
  const outputs = withChanges(known.outputs, fitting);
  if (!outputs) return null;
  const isCleared = changes.some(({ type }) => type === 'clear');
  const added = fitting.reduce((sum, change) => sum + (change.type === 'append' ? change.text.length : 0), 0);
  return {
    execution: isOld ? before.execution : next,
    execution_count: execution.execution_count ?? (isSame ? before.execution_count : null),
    outputs,
    outputs_total: Math.max(more?.outputs_total ?? (isCleared ? 0 : known.outputs_total), outputs.length),
    outputs_bytes: more?.outputs_bytes ?? (isCleared ? 0 : known.outputs_bytes) + added,
  };
}

/** Drops changes of outputs that are not loaded yet; the page loads those when they are to be shown. */
function fittingChanges(length: number, changes: CellOutputChange[]): CellOutputChange[] {
  const from = changes.findLastIndex(({ type }) => type === 'clear');
  if (from >= 0) return changes.slice(from);
  return changes.filter((change) => !('index' in change) || change.index < length);
}

/** The first part of a long text has at least this length. */
const leastOfText = 16 * 1024;

/**
 * Whether a chart or a picture is missing, and not only the rest of a long text: the page loads the one by itself, and the
 * other on request.
 */
export function isPictureMissing({ outputs, outputs_total }: Pick<CellShown, 'outputs' | 'outputs_total'>): boolean {
  if (outputs_total <= outputs.length) return false;
  let text = 0;
  for (const output of outputs.toReversed()) {
    if (output.output_type !== 'stream') break;
    text += output.text.length;
  }
  return text < leastOfText;
}

/** File names by language, from which the highlighter derives the colours. */
const languageFiles: Record<string, string> = { python: 'x.py', r: 'x.r', julia: 'x.jl', javascript: 'x.js' };

export function fileNameOf(type: CellType, language: string): string {
  if (type === 'markdown') return 'x.md';
  if (type === 'sql') return 'x.sql';
  if (type === 'raw') return 'x.txt';
  return languageFiles[language.toLowerCase()] ?? 'x.txt';
}

export interface Heading {
  cellId: string;
  level: number;
  text: string;
  index: number;
}

/** Returns the headings of a markdown cell; fenced code has none. */
export function headingsOf({ id, type, source }: Pick<DocumentCell, 'id' | 'type' | 'source'>): Heading[] {
  if (type !== 'markdown') return [];
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const line of source.split('\n')) {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1] ?? null;
    if (mark) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    const found = fence === null ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) : null;
    if (!found?.[1]) continue;
    const text = (found[2] ?? '').replace(/[*_`]|!?\[([^\]]*)\]\([^)]*\)/g, '$1');
    if (text) headings.push({ cellId: id, level: found[1].length, text, index: headings.length });
  }
  return headings;
}

export type Fields = Record<string, unknown>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Whether a part is collapsed, in the metadata of JupyterLab and of our own file format. */
export const isCollapsed = ({ metadata }: Pick<DocumentCell, 'metadata'>, part: 'source' | 'outputs'): boolean =>
  part === 'source'
    ? fieldsOf(metadata.jupyter).source_hidden === true
    : fieldsOf(metadata.jupyter).outputs_hidden === true || metadata.collapsed === true;

export const collapsedPatch = (part: 'source' | 'outputs', isOn: boolean): Fields =>
  part === 'source'
    ? { jupyter: { source_hidden: isOn || null } }
    : { jupyter: { outputs_hidden: isOn || null }, collapsed: isOn || null };

export const themeOf = ({ metadata }: Pick<DocumentCell, 'metadata'>): string | null => {
  const { theme } = fieldsOf(metadata.atoll);
  return typeof theme === 'string' ? theme : null;
};
