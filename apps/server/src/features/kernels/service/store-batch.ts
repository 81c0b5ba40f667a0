import type { OutputChange } from '@atoll/notebook';
import { eq, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Write } from '../../../platform/context.ts';
import { prepared } from '../../../platform/db/postgres-session.ts';
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

/** All of it is sent at once, with the commit. */
export function storeBatch({ tx, last, publish }: Write, session: KernelSessionRow, batch: Batch[]): void {
  const changed = batch.filter(({ row, changes, isNew }) => changes.length > 0 || row.endedAt !== null || isNew);
  for (const { row, changes, isCleared } of changed) {
    if (isCleared) {
      last(() => tx.delete(executionOutputs).where(eq(executionOutputs.executionId, row.id)).execute());
    }
    if (row.topic) publish(told(row.topic, row, storable(changes)));
  }
  const rows = changed.map(({ row }) => named(executions, row));
  const outputs = changed.flatMap(({ row, outputs }) =>
    outputs.map(({ index, output: { output, displayId } }) =>
      named(executionOutputs, { executionId: row.id, index, output: storable(output), displayId }),
    ),
  );
  last(() => tx.execute(statement(rows, outputs, named(kernelSessions, session))).execute());
}

/** Rows as the database names their columns. */
function named<Row extends object>(table: Table, row: Row): Record<string, unknown> {
  const columns = getTableColumns(table);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columns[name]?.name ?? name, value]));
}

const columnsOf = (table: Table, names: readonly string[], before = '') => {
  const columns = getTableColumns(table);
  return sql.raw(names.map((name) => `${before}"${columns[name]?.name}"`).join(', '));
};
const executionFields = Object.keys(getTableColumns(executions)).filter((name) => !['id', 'sessionId'].includes(name));
const updated = {
  execution: sql`(${columnsOf(executions, executionFields)}) = row(${columnsOf(executions, executionFields, 'excluded.')})`,
  session: columnsOf(kernelSessions, sessionFields),
};

/** One for everything, always of the same text, whatever there is to store: it is stored twenty times a second. */
const storing = (rows: string, outputs: string, session: string, sessionId: string): SQL => sql`${prepared}
  with stored as (
    insert into ${executions} select * from jsonb_populate_recordset(null::${executions}, ${rows}::jsonb)
    on conflict (id) do update set ${updated.execution}
  ), shown as (
    insert into ${executionOutputs} select * from jsonb_populate_recordset(null::${executionOutputs}, ${outputs}::jsonb)
    on conflict (execution_id, index) do update set output = excluded.output, display_id = excluded.display_id
  )
  update ${kernelSessions} set (${updated.session}) = (
    select ${updated.session} from jsonb_populate_record(null::${kernelSessions}, ${session}::jsonb)
  ) where id = ${sessionId} and ended_at is null`;

/** Put together once: that takes longer than anything else here. */
const pieces = new PgDialect()
  .sqlToQuery(storing('', '', '', ''))
  .sql.split(/\$\d/)
  .map((piece) => sql.raw(piece));

function statement(rows: object[], outputs: object[], session: Record<string, unknown>): SQL {
  const values = [JSON.stringify(rows), JSON.stringify(outputs), JSON.stringify(session), session.id];
  return sql.join(pieces.flatMap((piece, index) => (index < values.length ? [piece, sql`${values[index]}`] : [piece])));
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

/** Whoever looks at a flood sees its end when they ask for it; everybody's connection has other things to carry. */
const mostTold = 2 * 1024 ** 2;

export const told = (topic: string, row: ExecutionRow, changes: OutputChange[]) => ({
  topic,
  event: 'execution_changed',
  payload: {
    execution: executionView(row),
    changes: row.outputBytes > mostTold && topic.startsWith('notebook:') ? inShort(row, changes) : changes,
  },
});

function inShort({ outputBytes }: ExecutionRow, changes: OutputChange[]): object[] {
  if (changes.length === 0) return [];
  const last = Math.max(...changes.map((change) => ('index' in change ? change.index : 0)));
  return [{ type: 'more', outputs_total: last + 1, outputs_bytes: outputBytes }];
}
