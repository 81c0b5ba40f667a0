import type { CellInput, DocumentCell } from '@atoll/contract';
import { fieldsOf } from './fields.ts';

type Given = Pick<DocumentCell, 'type' | 'metadata'>;

export const defaultInput = (): CellInput => ({
  kind: 'text',
  name: 'value',
  label: '',
  value: '',
  options: [],
  min: null,
  max: null,
  step: null,
  reruns: false,
});

const kinds = new Set<unknown>(['text', 'select', 'multiselect', 'checkbox', 'number', 'slider', 'date']);
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;
const isText = (value: unknown): value is string => typeof value === 'string';
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The input of an input cell; null for every other cell, and for an invalid input. */
export function inputOf({ type, metadata }: Given): CellInput | null {
  if (type !== 'input') return null;
  const { kind, name, label, value, options, min, max, step, reruns } = fieldsOf(fieldsOf(metadata.atoll).input);
  if (!kinds.has(kind) || !isText(name) || !variable.test(name)) return null;
  const isValue =
    value === null ||
    isText(value) ||
    typeof value === 'boolean' ||
    Number.isFinite(value) ||
    (Array.isArray(value) && value.every(isText));
  return {
    kind: kind as CellInput['kind'],
    name,
    label: isText(label) ? label : '',
    value: isValue ? (value as CellInput['value']) : null,
    options: Array.isArray(options) ? options.filter(isText) : [],
    min: numberOf(min),
    max: numberOf(max),
    step: numberOf(step),
    reruns: reruns === true,
  };
}

/** The code of an input cell, as it is in the file: it sets the variable wherever the notebook is run. */
export function inputSource({ kind, name, value }: CellInput): string {
  if (kind === 'date' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return `from datetime import date\n${name} = date.fromisoformat(${pythonText(value)})`;
  }
  return `${name} = ${python(value)}`;
}

function python(value: CellInput['value']): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  return pythonText(value);
}

/** A JSON text is a valid Python text, except for lone surrogates. */
export const pythonText = (text: string): string => JSON.stringify(text.toWellFormed());

/** The variable that receives the result of a SQL cell. */
export function variableOf({ metadata }: Pick<Given, 'metadata'>): string {
  const { variable: name } = fieldsOf(metadata.atoll);
  return typeof name === 'string' && variable.test(name) ? name : 'result';
}

/** The code that the kernel runs for a cell; null where there is none. */
export function codeOf({ type, source, metadata }: Pick<DocumentCell, 'type' | 'source' | 'metadata'>): string | null {
  if (type === 'markdown' || type === 'raw' || source.trim() === '') return null;
  if (type !== 'sql') return source;
  const name = variableOf({ metadata });
  return `${name} = __import__('atoll_kernel').sql(${pythonText(source)}, globals())\n${name}`;
}

export function hasTag({ metadata }: Pick<Given, 'metadata'>, tag: string): boolean {
  const { tags } = metadata;
  return Array.isArray(tags) && tags.includes(tag);
}

/** A run of the whole notebook skips these cells, as in nbclient; a run of the cell itself does not. */
export const isSkipped = (cell: Pick<Given, 'metadata'>): boolean => hasTag(cell, 'skip-execution');
