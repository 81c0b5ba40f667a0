import { codeOf, hasTag } from './cell-code.ts';
import { readNotebook } from './file/read.ts';
import { type WrittenCell, writeNotebook } from './file/write.ts';

export type ParameterValue = string | number | boolean | null;
export type ParameterValues = Record<string, ParameterValue>;

/** The tags of papermill, so that notebooks work with both. */
const parametersTag = 'parameters';
const injectedTag = 'injected-parameters';

interface Language {
  assign(name: string, value: string): string;
  constants: readonly [none: string, no: string, yes: string];
  text?(json: string): string;
}

const assignment = (operator: string) => (name: string, value: string) => `${name} ${operator} ${value}`;
const languages: Record<string, Language> = {
  python: { assign: assignment('='), constants: ['None', 'False', 'True'] },
  r: { assign: assignment('<-'), constants: ['NULL', 'FALSE', 'TRUE'] },
  // A dollar sign would name a variable within the text.
  julia: {
    assign: assignment('='),
    constants: ['nothing', 'false', 'true'],
    text: (json) => json.replaceAll('$', '\\$'),
  },
  javascript: { assign: (name, value) => `var ${name} = ${value};`, constants: ['null', 'false', 'true'] },
};

export class NoParameters extends Error {}

function languageOf(metadata: Record<string, unknown>): string {
  const { language_info: info, kernelspec } = metadata as Record<string, { name?: unknown; language?: unknown } | null>;
  const name = info?.name ?? kernelspec?.language;
  return typeof name === 'string' && name !== '' ? name.toLowerCase() : 'python';
}

function literalOf(value: ParameterValue, { constants, text = (json) => json }: Language): string {
  const [none, no, yes] = constants;
  if (value === null) return none;
  if (typeof value === 'boolean') return value ? yes : no;
  return typeof value === 'number' ? JSON.stringify(value) : text(JSON.stringify(value.toWellFormed()));
}

/** Adds a cell that sets these values: after the tagged cell, or before all cells. */
export function withParameters(base: string, values: ParameterValues): string {
  const { cells, metadata } = readNotebook(base);
  const name = languageOf(metadata);
  const language = languages[name];
  if (!language) throw new NoParameters(`Parameters cannot be set for notebooks in ${name}.`);
  const kept: WrittenCell[] = cells
    .filter((cell) => !hasTag(cell, injectedTag))
    .map(({ id, type, source, metadata, attachments }) => ({ id, type, source, metadata, attachments, shown: null }));
  const lines = Object.entries(values).map(([name, value]) => language.assign(name, literalOf(value, language)));
  const injected: WrittenCell = {
    id: injectedTag,
    type: 'code',
    source: lines.join('\n'),
    metadata: { tags: [injectedTag] },
    attachments: null,
    shown: { executionCount: null, outputs: [] },
  };
  const at = kept.findIndex((cell) => hasTag(cell, parametersTag)) + 1;
  return writeNotebook(base, { metadata, cells: kept.toSpliced(at, 0, injected) });
}

type Given = Pick<Parameters<typeof codeOf>[0], 'type' | 'source' | 'metadata'>;

/** Reads the plain values that the tagged cell sets. */
export function parametersIn(cells: readonly Given[]): ParameterValues {
  const tagged = cells.find((cell) => hasTag(cell, parametersTag));
  const code = tagged ? (codeOf(tagged) ?? '') : '';
  return Object.fromEntries(
    code.split('\n').flatMap((line) => {
      const [, name, text] = /^([A-Za-z_]\w{0,63})\s*(?::[^=]+)?(?:=|<-)\s*(\S.*?)\s*;?\s*$/.exec(line) ?? [];
      const value = text === undefined ? undefined : plainValueOf(text);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

const constants: Record<string, ParameterValue> = Object.fromEntries(
  Object.values(languages).flatMap(({ constants: [none, no, yes] }) => [
    [none, null],
    [no, false],
    [yes, true],
  ]),
);

/** Undefined for any other value. */
function plainValueOf(text: string): ParameterValue | undefined {
  const plain = /^(['"])((?:\\.|(?!\1|\\).)*)\1(?:\s+#.*)?$/.exec(text);
  if (plain) return textOf(plain[2] ?? '');
  const word = text.replace(/\s+#.*$/, '');
  if (Object.hasOwn(constants, word)) return constants[word];
  return /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word) ? Number(word.replaceAll('_', '')) : undefined;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
const textOf = (inside: string): string => inside.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign);
