import type { CellInput, InputValue } from '@atoll/contract';
import { codeOf, compareCells, inputOf } from '@atoll/notebook';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { requireProject } from '../../projects/service/access.ts';
import { type CellRow, notebookCells } from '../table.ts';
import { type Address, requireNotebookFile } from './address.ts';
import { adopt, liveCells } from './adopt.ts';
import { carryOut } from './edit.ts';
import { enqueue } from './queue.ts';
import { notebookRunnerOf } from './runner.ts';

/** Sets the value of an input; whoever may run the notebook may do so. */
export async function setInput(ctx: Context, address: Address, cellId: string, value: InputValue) {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    const row = await adopt(ctx, write, await requireNotebookFile(write.tx, address));
    const [cell] = await write.tx
      .select()
      .from(notebookCells)
      .where(and(eq(notebookCells.fileId, address.fileId), eq(notebookCells.id, cellId)));
    const input = cell && !cell.deletedAt ? inputOf(cell) : null;
    if (!cell || !input) throw notFound('This input');
    const problem = problemWith(input, value);
    if (problem) throw invalidField('value', problem);
    const metadata = { atoll: { input: { value } } };
    const operation = { op: 'update_cell_metadata' as const, cell_id: cellId, metadata };
    const change = await carryOut(ctx, write, address, row, [operation], input.reruns);
    if (!input.reruns) return { ...change, queue: [] };
    const cells = (await liveCells(write.tx, address.fileId)).sort(compareCells);
    const cellIds = [cellId, ...dependentCells(cells, cellId, input.name)];
    const { queue } = await enqueue(ctx.within(write), address, {
      cellIds,
      wake: () => notebookRunnerOf(ctx).wake(address),
    });
    return { ...change, queue };
  });
}

function problemWith({ kind, min, max, options }: CellInput, value: InputValue): string | null {
  switch (kind) {
    case 'number':
    case 'slider':
      if (typeof value !== 'number') return 'Must be a number';
      if (min !== null && value < min) return `Must be ${min} or more`;
      return max !== null && value > max ? `Must be ${max} or less` : null;
    case 'checkbox':
      return typeof value === 'boolean' ? null : 'Must be on or off';
    case 'select':
      return value === null || (typeof value === 'string' && options.includes(value))
        ? null
        : 'Must be one of the choices';
    case 'multiselect':
      return Array.isArray(value) && value.every((each) => options.includes(each))
        ? null
        : 'Must be some of the choices';
    case 'date':
      return value === null || (typeof value === 'string' && /^(\d{4}-\d{2}-\d{2})?$/.test(value))
        ? null
        : 'Must be a date';
    case 'text':
      return typeof value === 'string' ? null : 'Must be text';
  }
}

const word = /[A-Za-z_][A-Za-z0-9_]*/g;
const name = '[A-Za-z_][A-Za-z0-9_]*';
/** Names at the beginning of a statement that are given a value, defined, or changed in a part of theirs. */
const changedNames = [
  new RegExp(`^\\s*(?:async\\s+)?(?:def|class)\\s+(${name})`),
  new RegExp(
    `^\\s*(?:async\\s+)?(?:for\\s+)?[([]?(${name}(?:\\s*[,=]\\s*\\*?${name})*)[)\\]]?\\s*(?:=(?!=)|[-+*/%|&^@<>]{1,2}=|:|\\sin\\s)`,
  ),
  new RegExp(`^\\s*(?:async\\s+)?with\\b.*\\bas\\s+(${name})`),
  new RegExp(`(${name})\\s*:=`),
];
/** `table["x"] = …`, `list.append(…)`: what was there before is another one. */
const changedInside = new RegExp(`^\\s*(${name})\\s*[.[]`);
const imports = /^\s*(?:from\s+\S+\s+)?import\s+(.+)$/gm;

/** Of a library nothing changes by being used. */
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
 * Cells after an input that name it, or what such cells set, in order. By their text and not by running them: it needs no
 * kernel, and one cell too many that is run does less harm than one too few.
 */
export function dependentCells(cells: Dependent[], inputId: string, input: string): string[] {
  const changed = new Set([input]);
  const imported = new Set(cells.flatMap((cell) => (cell.type === 'code' ? importedBy(cell.source) : [])));
  const found: string[] = [];
  for (const cell of cells.slice(cells.findIndex(({ id }) => id === inputId) + 1)) {
    const code = codeOf(cell);
    // Of a query its own text: in the code for the kernel a line begins with `\n`.
    const named = cell.type === 'sql' ? cell.source : code;
    if (code === null || cell.type === 'input' || !named?.match(word)?.some((each) => changed.has(each))) continue;
    found.push(cell.id);
    for (const each of changedBy(code, imported)) changed.add(each);
  }
  return found;
}

type Dependent = Pick<CellRow, 'id' | 'type' | 'source' | 'metadata'>;
