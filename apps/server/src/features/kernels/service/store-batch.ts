import { eq, sql } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import { type ExecutionRow, executionOutputs, executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { executionView } from '../view.ts';
import type { Ongoing } from './ongoing.ts';

export type Batch = { row: ExecutionRow } & ReturnType<Ongoing['take']>;

/** Data that cannot be stored, or breaks a rule: not a database that is away. */
export function isRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return /^2[23]/.test(code ?? cause?.code ?? '');
}

export const withoutOutputs = (each: Batch): Batch => ({
  ...each,
  outputs: [],
  changes: [],
  row: each.row.endedAt ? { ...each.row, reason: each.row.reason ?? 'What it showed could not be stored.' } : each.row,
});

/** All of it is sent at once, with the commit. */
export function storeBatch({ tx, last, publish }: Write, session: KernelSessionRow, batch: Batch[]): void {
  for (const { row, changes, outputs, isCleared } of batch) {
    if (changes.length === 0 && row.endedAt === null) continue;
    const { id: _, sessionId: __, ...values } = row;
    last(() => tx.insert(executions).values(row).onConflictDoUpdate({ target: executions.id, set: values }).execute());
    if (isCleared) {
      last(() => tx.delete(executionOutputs).where(eq(executionOutputs.executionId, row.id)).execute());
    }
    if (outputs.length > 0) last(() => storeOutputs(tx, row.id, outputs));
    if (row.topic) publish(told(row.topic, row, storable(changes)));
  }
  const { state, storedSequence, endReason, endMessage, endedAt, executionsCount, usedMs, activeAt } = session;
  const values = { state, storedSequence, endReason, endMessage, endedAt, executionsCount, usedMs, activeAt };
  last(() => tx.update(kernelSessions).set(values).where(eq(kernelSessions.id, session.id)).execute());
}

function storeOutputs(tx: Write['tx'], executionId: string, outputs: Batch['outputs']): Promise<unknown> {
  return tx
    .insert(executionOutputs)
    .values(
      outputs.map(({ index, output: { output, displayId } }) => ({
        executionId,
        index,
        output: storable(output),
        displayId,
      })),
    )
    .onConflictDoUpdate({
      target: [executionOutputs.executionId, executionOutputs.index],
      set: { output: sql`excluded.output`, displayId: sql`excluded.display_id` },
    })
    .execute();
}

/** The database can hold neither NUL nor half a character in a text. */
export function storable<Value>(value: Value): Value {
  if (typeof value === 'string') {
    const text = value.isWellFormed() ? value : value.toWellFormed();
    return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text) as Value;
  }
  if (Array.isArray(value)) return value.map(storable) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), storable(each)])) as Value;
}

export const told = (topic: string, row: ExecutionRow, changes: unknown[]) => ({
  topic,
  event: 'execution_changed',
  payload: { execution: executionView(row), changes },
});
