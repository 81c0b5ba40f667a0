import type { CellInput, InputValue } from '@atoll/contract';
import { compareCells, dependentCells, inputOf } from '@atoll/notebook';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { invalidField, notFound } from '../../../../platform/errors.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { notebookCells } from '../../table.ts';
import type { Address } from '../address.ts';
import { adopt, liveCells } from '../document/adopt.ts';
import { enqueue } from '../queue/queue.ts';
import { notebookRunnerOf } from '../queue/runner.ts';
import { carryOut } from './edit.ts';

/** Sets the value of an input; people who may run the notebook may do so. */
export async function setInput(ctx: Context, address: Address, cellId: string, value: InputValue) {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    const { row } = await adopt(ctx, write, address);
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
