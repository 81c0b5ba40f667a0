import type { CellExecution, CellOutput, CellShown, PersonSummary } from '@atoll/contract';
import { asc, inArray } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { type ExecutionRow, executionOutputs, executions } from '../../kernels/table.ts';
import { executionView } from '../../kernels/view.ts';
import type { CellRow } from '../table.ts';
import { readBase } from './base.ts';

/** So much of one cell, and of all together, is sent with the notebook; the rest is asked for. */
const mostOfCell = 64 * 1024;
const mostOfAll = 4 * 1024 ** 2;

const sizeOf = (output: CellOutput): number =>
  output.output_type === 'stream' ? output.text.length : JSON.stringify(output).length;

export async function outputsOfExecutions(db: Context['db'], ids: string[]): Promise<Map<string, CellOutput[]>> {
  const found = new Map<string, CellOutput[]>();
  for (let from = 0; from < ids.length; from += 1_000) {
    const rows = await db
      .select()
      .from(executionOutputs)
      .where(inArray(executionOutputs.executionId, ids.slice(from, from + 1_000)))
      .orderBy(asc(executionOutputs.executionId), asc(executionOutputs.index));
    for (const { executionId, output } of rows) {
      const known = found.get(executionId);
      if (known) known.push(output);
      else found.set(executionId, [output]);
    }
  }
  return found;
}

export async function executionsByIds(db: Context['db'], ids: string[]): Promise<Map<string, ExecutionRow>> {
  const found = new Map<string, ExecutionRow>();
  for (let from = 0; from < ids.length; from += 1_000) {
    const rows = await db
      .select()
      .from(executions)
      .where(inArray(executions.id, ids.slice(from, from + 1_000)));
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

export function cellExecutionView(row: ExecutionRow, user: PersonSummary | null): CellExecution {
  const { cell: _, ...view } = executionView(row);
  return { ...view, user };
}

/** Everything cells show, as much of it as fits. */
export async function shownOf(
  ctx: Context,
  db: Context['db'],
  cells: CellRow[],
  baseBlob: string | null,
  people: Map<string, PersonSummary>,
): Promise<Map<string, CellShown>> {
  const ids = cells.flatMap(({ executionId }) => executionId ?? []);
  const rows = await executionsByIds(db, ids);
  const ofExecutions = await outputsOfExecutions(
    db,
    cells.flatMap(({ shown, executionId }) => (shown === 'execution' && executionId ? executionId : [])),
  );
  const inFile = await outputsInFile(ctx, cells, baseBlob);
  let left = mostOfAll;
  return new Map(
    cells.map((cell) => {
      const all = outputsOf(cell, inFile, ofExecutions);
      const sizes = all.map(sizeOf);
      const { outputs, size } = fitting(all, sizes, Math.min(left, mostOfCell));
      left -= size;
      const row = cell.executionId ? rows.get(cell.executionId) : undefined;
      return [
        cell.id,
        {
          execution_count: row?.executionCount ?? cell.executionCount,
          execution: row ? cellExecutionView(row, people.get(cell.executedById ?? '') ?? null) : null,
          outputs,
          outputs_total: all.length,
          outputs_bytes: sizes.reduce((sum, each) => sum + each, 0),
        },
      ];
    }),
  );
}

async function outputsInFile(ctx: Context, cells: CellRow[], blob: string | null): Promise<Map<string, CellOutput[]>> {
  if (!blob || !cells.some(({ shown }) => shown === 'file')) return new Map();
  const file = await readBase(ctx, blob);
  return new Map(file.cells.map(({ id, outputs }) => [id, outputs]));
}

function outputsOf(
  cell: CellRow,
  inFile: Map<string, CellOutput[]>,
  ofExecutions: Map<string, CellOutput[]>,
): CellOutput[] {
  if (cell.shown === 'file') return inFile.get(cell.id) ?? [];
  if (cell.shown === 'own') return cell.outputs ?? [];
  return cell.shown === 'execution' ? (ofExecutions.get(cell.executionId ?? '') ?? []) : [];
}

/** From the first one on, up to so much; the first text of too much is cut. */
function fitting(all: CellOutput[], sizes: number[], most: number): { outputs: CellOutput[]; size: number } {
  let size = 0;
  let count = 0;
  for (const each of sizes) {
    if (size + each > most) break;
    size += each;
    count += 1;
  }
  return { outputs: all.slice(0, count), size };
}

export async function allOutputsOf(ctx: Context, cell: CellRow, baseBlob: string | null): Promise<CellOutput[]> {
  const ids = cell.shown === 'execution' && cell.executionId ? [cell.executionId] : [];
  return outputsOf(cell, await outputsInFile(ctx, [cell], baseBlob), await outputsOfExecutions(ctx.db, ids));
}

const mostAtOnce = 1024 ** 2;

/** Of what one cell shows, from a place on, as much as is sent at once; at least one. */
export function pieceOf(all: CellOutput[], from: number) {
  const sizes = all.map(sizeOf);
  const rest = all.slice(from);
  const { outputs } = fitting(rest, sizes.slice(from), mostAtOnce);
  return {
    outputs: outputs.length === 0 ? rest.slice(0, 1) : outputs,
    from,
    outputs_total: all.length,
    outputs_bytes: sizes.reduce((sum, each) => sum + each, 0),
  };
}
