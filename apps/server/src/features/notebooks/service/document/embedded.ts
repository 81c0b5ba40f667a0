import type { CellOutput, Paging } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { notFound } from '../../../../platform/errors.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { loadPeople } from '../../../projects/service/relations.ts';
import { type CellRow, notebookCells } from '../../table.ts';
import type { Address } from '../address.ts';
import { allOutputsOf, shownOf } from '../cells/shown.ts';
import { cellsOfFile, currentRow, type NotebookState, readAtOneVersion } from './adopt.ts';
import { cellView } from './open.ts';

/** Reads one cell of a notebook, wherever it is stored. */
export const readCell = <Result>(
  ctx: Context,
  address: Address,
  cellId: string,
  read: (found: { cell: CellRow; blob: string }) => Promise<Result>,
): Promise<Result> => readAtOneVersion(ctx.db, address, async (state) => read(await findCell(ctx, state, cellId)));

async function findCell(ctx: Context, state: NotebookState, cellId: string) {
  const { file } = state;
  const row = currentRow(state);
  if (row?.baseBlob) {
    const isCell = and(eq(notebookCells.fileId, file.id), eq(notebookCells.id, cellId));
    const [cell] = await ctx.db
      .select()
      .from(notebookCells)
      .where(and(isCell, isNull(notebookCells.deletedAt)));
    if (!cell) throw notFound('This cell');
    return { cell, blob: row.baseBlob };
  }
  const cell = (await cellsOfFile(ctx, file.id, file.blob)).find(({ id }) => id === cellId);
  if (!cell) throw notFound('This cell');
  return { cell, blob: file.blob };
}

interface Wanted {
  cell_output_index?: number | undefined;
  mode: 'code' | 'output' | 'both';
}

export async function embeddedCell(ctx: Context, address: Address, cellId: string, wanted: Wanted) {
  // Outputs need the same right as the code, because they can reveal it.
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  return readCell(ctx, address, cellId, async ({ cell, blob }) => {
    const people = await loadPeople(ctx.db, [cell.executedById]);
    const shown = (await shownOf(ctx, ctx.db, [cell], blob, people)).get(cell.id);
    if (!shown) throw notFound('This cell');
    const { cell_output_index: index, mode } = wanted;
    const outputs = mode === 'code' ? [] : index === undefined ? shown.outputs : await outputAt(ctx, cell, blob, index);
    return { cell: mode === 'output' ? null : cellView(cell), shown: { ...shown, outputs } };
  });
}

/** Returns the requested output, however large. */
const outputAt = async (ctx: Context, cell: CellRow, blob: string, index: number): Promise<CellOutput[]> =>
  (await allOutputsOf(ctx, cell, blob)).slice(index, index + 1);

/** The text of an output that is only text; null for an output that is shown in another way. */
function textOf(output: CellOutput): string | null {
  if (output.output_type === 'stream') return output.text;
  if (output.output_type === 'error') return null;
  const text = output.data['text/plain'];
  return typeof text === 'string' && Object.keys(output.data).length === 1 ? `${text.replace(/\n$/, '')}\n` : null;
}

/** Returns the text outputs of a cell by lines; with a search only the matching lines. */
export async function embeddedPage(
  ctx: Context,
  address: Address,
  cellId: string,
  { page, page_size, search_query }: Paging & { search_query: string },
) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  const outputs = await readCell(ctx, address, cellId, ({ cell, blob }) => allOutputsOf(ctx, cell, blob));
  const text = outputs.map((output) => textOf(output) ?? '').join('');
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const wanted = search_query.toLowerCase();
  const found = lines
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => wanted === '' || line.text.toLowerCase().includes(wanted));
  const from = (page - 1) * page_size;
  return {
    lines: found.slice(from, from + page_size),
    outputs: page === 1 && wanted === '' ? outputs.filter((output) => textOf(output) === null) : [],
    page,
    page_size,
    total: found.length,
  };
}
