import type { CellExecution, CellOutput, CellShown, PersonSummary } from '@atoll/contract';
import { asc, inArray } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { type ExecutionRow, executionOutputs, executions } from '../../../kernels/table.ts';
import { executionView } from '../../../kernels/view.ts';
import type { CellRow } from '../../table.ts';
import { outputsInBase, pieceInBase, readBase } from '../base.ts';
import { mapInBatches } from '../document/in-batches.ts';
import type { OutlinedCell } from '../document/large.ts';
import { fitting, inPieces, mostOfCell, pieceOf, sizeOfAll } from './pieces.ts';

/** The notebook is sent with at most so many bytes of the outputs of all cells; the client loads the rest. */
const mostOfAll = 4 * 1024 ** 2;

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

/** Loads the outputs of cells, as many as fit. */
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
    await mapInBatches(cells, (cell): [string, CellShown] => {
      const { outputs: all, total, bytes } = outputsOf(cell, inFile, ofExecutions);
      const { outputs, size } = fitting(all, Math.min(left, mostOfCell));
      left -= size;
      const row = cell.executionId ? rows.get(cell.executionId) : undefined;
      return [
        cell.id,
        {
          execution_count: row?.executionCount ?? cell.executionCount,
          execution: row ? cellExecutionView(row, people.get(cell.executedById ?? '') ?? null) : null,
          outputs,
          outputs_total: total,
          outputs_bytes: bytes,
        },
      ];
    }),
  );
}

async function outputsInFile(ctx: Context, cells: CellRow[], blob: string | null): Promise<Map<string, OutlinedCell>> {
  if (!blob || !cells.some(({ shown }) => shown === 'file')) return new Map();
  const file = await readBase(ctx, blob);
  return new Map(await mapInBatches(file.cells, (cell) => [cell.id, cell] as const));
}

function outputsOf(cell: CellRow, inFile: Map<string, OutlinedCell>, ofExecutions: Map<string, CellOutput[]>) {
  const known = cell.shown === 'file' ? inFile.get(cell.id) : undefined;
  if (known?.all) return { outputs: known.outputs, ...known.all };
  const outputs = inPieces(
    cell.shown === 'file'
      ? (known?.outputs ?? [])
      : cell.shown === 'own'
        ? (cell.outputs ?? [])
        : (ofExecutions.get(cell.executionId ?? '') ?? []),
  );
  return { outputs, total: outputs.length, bytes: sizeOfAll(outputs) };
}

export async function allOutputsOf(ctx: Context, cell: CellRow, baseBlob: string | null): Promise<CellOutput[]> {
  if (cell.shown === 'file') return baseBlob ? outputsInBase(ctx, baseBlob, cell.id) : [];
  if (cell.shown === 'own') return cell.outputs ?? [];
  const { executionId: id } = cell;
  return cell.shown === 'execution' && id ? ((await outputsOfExecutions(ctx.db, [id])).get(id) ?? []) : [];
}

/** Loads outputs from a position on, as many as one message holds. */
export const moreOf = async (ctx: Context, cell: CellRow, baseBlob: string | null, from: number) =>
  cell.shown === 'file' && baseBlob
    ? pieceInBase(ctx, baseBlob, cell.id, from)
    : pieceOf(await allOutputsOf(ctx, cell, baseBlob), from);
