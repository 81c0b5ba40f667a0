import type { DocumentCell } from '@atoll/contract';
import { codeOf } from './cell-code.ts';

type Dependent = Pick<DocumentCell, 'id' | 'type' | 'source' | 'metadata'>;

const word = /[A-Za-z_][A-Za-z0-9_]*/g;
const name = '[A-Za-z_][A-Za-z0-9_]*';
/** Names at the beginning of a statement that are assigned, defined, or changed inside. */
const changedNames = [
  new RegExp(`^\\s*(?:async\\s+)?(?:def|class)\\s+(${name})`),
  new RegExp(
    `^\\s*(?:async\\s+)?(?:for\\s+)?[([]?(${name}(?:\\s*[,=]\\s*\\*?${name})*)[)\\]]?\\s*(?:=(?!=)|[-+*/%|&^@<>]{1,2}=|:|\\sin\\s)`,
  ),
  new RegExp(`^\\s*(?:async\\s+)?with\\b.*\\bas\\s+(${name})`),
  new RegExp(`(${name})\\s*:=`),
];
/** `table["x"] = …`, `list.append(…)`: the statement changes the value of the name. */
const changedInside = new RegExp(`^\\s*(${name})\\s*[.[]`);
const imports = /^\s*(?:from\s+\S+\s+)?import\s+(.+)$/gm;

/** Names of imported libraries, because using a library changes nothing in it. */
const importedBy = (code: string): string[] =>
  [...code.matchAll(imports)].flatMap(([, names = '']) =>
    names.split(',').flatMap((each) => (/\bas\s+(\w+)/.exec(each) ?? /(\w+)/.exec(each))?.[1] ?? []),
  );

function changedBy(code: string, imported: Set<string>): string[] {
  return code.split(/[\n;]/).flatMap((line) => {
    const inside = changedInside.exec(line)?.[1];
    const names = changedNames.flatMap((pattern) => pattern.exec(line)?.[1]?.match(word) ?? []);
    return inside && !imported.has(inside) ? [...names, inside] : names;
  });
}

/**
 * Cells after an input that name it, or that name a variable set by such a cell, in order. It reads the code instead of
 * running it: that needs no kernel, and running one cell too many does less harm than one too few.
 */
export function dependentCells(cells: readonly Dependent[], inputId: string, input: string): string[] {
  const changed = new Set([input]);
  const imported = new Set(cells.flatMap((cell) => (cell.type === 'code' ? importedBy(cell.source) : [])));
  const found: string[] = [];
  for (const cell of cells.slice(cells.findIndex(({ id }) => id === inputId) + 1)) {
    const code = codeOf(cell);
    // Queries are searched in their own text, because lines of their code for the kernel begin with `\n`.
    const named = cell.type === 'sql' ? cell.source : code;
    if (code === null || cell.type === 'input' || !named?.match(word)?.some((each) => changed.has(each))) continue;
    found.push(cell.id);
    for (const each of changedBy(code, imported)) changed.add(each);
  }
  return found;
}

/** One cell sets names that another one uses. */
export interface Dependency {
  from: string;
  to: string;
  names: string[];
}

/** Quoted text and comments contain no names, except for the braces of a formatted string. */
const unnamed =
  /#[^\n]*|(?<!\w)[rRbBuU]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g;
/** Matches neither attributes nor the names of arguments. */
const used = new RegExp(`(?<![.\\w])${name}(?!\\w)(?!\\s*=(?!=))`, 'g');
const added = new RegExp(`^\\s*(${name})\\s*[-+*/%|&^@<>]{1,2}=`, 'gm');

/** Links from each name that a cell uses to the last cell before it that set it. */
export function dependenciesOf(cells: readonly Dependent[]): Dependency[] {
  const setBy = new Map<string, string>();
  const found: Dependency[] = [];
  // Using a library changes nothing in it, wherever it was imported.
  const libraries = new Set(cells.flatMap((cell) => (cell.type === 'code' ? importedBy(cell.source) : [])));
  for (const cell of cells) {
    const whole = codeOf(cell);
    if (whole === null) continue;
    const code = cell.type === 'sql' ? whole : whole.replace(unnamed, ' ');
    const text = cell.type === 'sql' ? cell.source : code;
    const names = new Set([...(text.match(used) ?? []), ...[...code.matchAll(added)].map(([, each = '']) => each)]);
    const from = Map.groupBy(
      [...names].filter((each) => setBy.has(each)),
      (each) => setBy.get(each) ?? '',
    );
    for (const [id, shared] of from) found.push({ from: id, to: cell.id, names: shared.sort() });
    for (const each of [...changedBy(code, libraries), ...importedBy(code)]) setBy.set(each, cell.id);
  }
  return found;
}
