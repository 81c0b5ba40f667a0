import { type CellOutput, type PersonSummary, topics } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { preparedStatement } from '../../../../platform/db/prepared-statement.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import type { Outcome } from '../../../kernels/service/running-execution.ts';
import { type ExecutionRow, executions } from '../../../kernels/table.ts';
import { type JobRow, notebookCells, notebookJobs } from '../../table.ts';
import type { Address } from '../address.ts';
import { markChanged } from '../cells/edit.ts';
import { cellExecutionView } from '../cells/shown.ts';
import { lockNotebookRow } from '../document/adopt.ts';
import { dropBatch } from './queue.ts';
import { publishQueue } from './queue-view.ts';

const showing =
  preparedStatement(sql`update ${notebookCells} set shown = 'execution', outputs = null, execution_count = null,
  execution_id = ${sql.placeholder('id')}, executed_by_id = ${sql.placeholder('userId')}
  where file_id = ${sql.placeholder('fileId')} and id = ${sql.placeholder('cellId')}`);

/** Marks the cell as showing this execution. */
export const noting =
  (address: Address, job: JobRow, user: PersonSummary | null) =>
  ({ tx, last, publish }: Write, execution: ExecutionRow): void => {
    last(() => tx.execute(showing(job)).execute());
    // An execution that has ended already is about to leave the queue.
    if (!execution.endedAt) {
      last(() => tx.update(notebookJobs).set({ state: 'running' }).where(eq(notebookJobs.id, job.id)).execute());
    }
    const executed = { cell_id: job.cellId, execution: cellExecutionView(execution, user) };
    publish(message(topics.notebook, { ...address }, 'cell_executed', executed));
  };

/** Shows the reason in place of the outputs of a cell that could not begin. */
export async function showReason(ctx: Context, address: Address, cellId: string, reason: string): Promise<void> {
  const output: CellOutput = { output_type: 'error', ename: 'Not run', evalue: reason, traceback: [] };
  await ctx.write(async (write) => {
    await lockNotebookRow(write, address.fileId);
    await write.tx
      .update(notebookCells)
      .set({ shown: 'own', outputs: [output], executionId: null, executionCount: null })
      .where(and(eq(notebookCells.fileId, address.fileId), eq(notebookCells.id, cellId)));
    const shown = {
      execution_count: null,
      execution: null,
      outputs: [output],
      outputs_total: 1,
      outputs_bytes: reason.length,
    };
    const change = { cells: [], deleted_ids: [], head: null, cleared_ids: [], items: [], shown: { [cellId]: shown } };
    write.publish(message(topics.notebook, { ...address }, 'document_changed', { ...change, user: null }));
    await markChanged(ctx, write, address);
  });
}

const leavingQueue = preparedStatement(sql`delete from ${notebookJobs} where id = ${sql.placeholder('id')}`);
const numbering = preparedStatement(sql`update ${notebookCells}
  set execution_count = (select execution_count from ${executions} where id = ${sql.placeholder('id')})
  where file_id = ${sql.placeholder('fileId')} and execution_id = ${sql.placeholder('id')}`);

/** Removes the cell from the queue; after a failure also the rest of its batch. */
export async function finish(ctx: Context, address: Address, job: JobRow, outcome: Outcome): Promise<void> {
  await ctx.write(async (write) => {
    const { last, tx } = write;
    const isLocked = lockNotebookRow(write, address.fileId);
    last(() => tx.execute(leavingQueue(job)).execute());
    last(() => tx.execute(numbering(job)).execute());
    last(() => markChanged(ctx, write, address));
    await publishQueue(write, address, [], [job.id]);
    await isLocked;
    if (outcome.state !== 'ok') await dropBatch(write, address, job.batchId);
  });
}
