import type { OutputChange } from '@atoll/notebook';
import { eq, getTableColumns, sql, type Table } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import { columnsOf, preparedInsert, preparedStatement, valuesOf } from '../../../platform/db/prepared-statement.ts';
import { type ExecutionRow, executionOutputs, executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { executionView } from '../view.ts';
import type { RunningExecution } from './running-execution.ts';

/** A whole batch is published in full, however large its execution's outputs are. */
export type Batch = { row: ExecutionRow; isWhole?: boolean } & ReturnType<RunningExecution['take']>;

/** Whether the data cannot be stored or breaks a rule; a database that is away is another case. */
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

const sessionFields = [
  'state',
  'storedSequence',
  'features',
  'endReason',
  'endMessage',
  'endedAt',
  'executionsCount',
  'usedMs',
  'activeAt',
] as const satisfies (keyof KernelSessionRow)[];

/** Sends all statements at once, with the commit. */
export function storeBatch({ tx, last, publish }: Write, session: KernelSessionRow, batch: Batch[]): void {
  const changed = batch.filter(({ row, changes, isNew }) => changes.length > 0 || row.endedAt !== null || isNew);
  for (const { row, changes, isCleared, isWhole } of changed) {
    if (isCleared) {
      last(() => tx.delete(executionOutputs).where(eq(executionOutputs.executionId, row.id)).execute());
    }
    if (row.topic) publish(outputMessage(row.topic, row, storable(changes), isWhole));
  }
  for (const { row, outputs } of changed) {
    last(() => tx.execute(storingExecution(row)).execute());
    for (const { index, output } of outputs) {
      const shown = {
        executionId: row.id,
        index,
        output: storable(output.output),
        displayId: storable(output.displayId),
      };
      last(() => tx.execute(storingOutput(shown)).execute());
    }
  }
  last(() => tx.execute(storingSession(session)).execute());
}

/** Prepared for one row: there is mostly one, and a JSON list of rows takes the database twice as long. */
function storing<Of extends Table>(table: Of, keys: string[]) {
  const changing = Object.keys(getTableColumns(table)).filter((name) => !keys.includes(name));
  return preparedInsert(
    table,
    sql`on conflict (${columnsOf(table, keys)}) do update
      set (${columnsOf(table, changing)}) = row(${columnsOf(table, changing, 'excluded.')})`,
  );
}

const storingExecution = storing(executions, ['id']);
const storingOutput = storing(executionOutputs, ['executionId', 'index']);
const storingSession = preparedStatement(sql`update ${kernelSessions}
  set (${columnsOf(kernelSessions, sessionFields)}) = row(${valuesOf(kernelSessions, sessionFields)})
  where id = ${sql.placeholder('id')} and ended_at is null`);

/** Removes NUL and unpaired surrogates, which the database cannot hold in a text. */
export function storable<Value>(value: Value): Value {
  if (typeof value === 'string') {
    const text = value.isWellFormed() ? value : value.toWellFormed();
    return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text) as Value;
  }
  if (Array.isArray(value)) return value.map(storable) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), storable(each)])) as Value;
}

/**
 * Larger outputs are not pushed, to keep connections free for other messages; a viewer loads the end of a flood on request.
 */
const mostTold = 2 * 1024 ** 2;

export const outputMessage = (topic: string, row: ExecutionRow, changes: OutputChange[], isWhole = false) => ({
  topic,
  event: 'execution_changed',
  payload: {
    execution: executionView(row),
    changes: !isWhole && row.outputBytes > mostTold && topic.startsWith('notebook:') ? inShort(row, changes) : changes,
  },
});

function inShort({ outputBytes }: ExecutionRow, changes: OutputChange[]): object[] {
  if (changes.length === 0) return [];
  const last = Math.max(...changes.map((change) => ('index' in change ? change.index : 0)));
  return [{ type: 'more', outputs_total: last + 1, outputs_bytes: outputBytes }];
}
