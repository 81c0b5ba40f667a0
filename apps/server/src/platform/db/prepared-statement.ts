import { getTableColumns, is, Param, Placeholder, type SQL, sql, type Table } from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from './database.ts';
import { prepared } from './postgres-session.ts';

/**
 * A statement that runs so often that building its text each time would take longer than the database does: the text is
 * built once, and each connection parses it once. Its values are `sql.placeholder`s.
 */
export function preparedStatement(statement: SQL): (values: object) => SQL {
  const { sql: text, params } = new PgDialect().sqlToQuery(sql`${prepared} ${statement}`);
  const readers = params.map((param) => readerOf(param));
  return (values) => {
    const query = { sql: text, params: readers.map((read) => read(values as Record<string, unknown>)) };
    // Drizzle needs only these two methods to execute a statement.
    const done = { getSQL: () => done, toQuery: () => query } as unknown as SQL;
    return done;
  };
}

/** Selects the rows of a table by such a statement, with additional columns beside each row. */
export function preparedRows<Of extends PgTable, More extends object = object>(
  table: Of,
  { where, more = {} }: { where: SQL; more?: Record<string, SQL> },
): (db: Database | Transaction, values: object) => Promise<(Of['$inferSelect'] & More)[]> {
  const columns = Object.entries(getTableColumns(table));
  const asked = [
    ...columns.map(([, column]) => sql`${column}`),
    ...Object.entries(more).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
  ];
  const select = preparedStatement(sql`select ${sql.join(asked, sql.raw(', '))} from ${table} where ${where}`);
  return async (db, values) => {
    const answer = (await db.execute(select(values)).execute()) as unknown as { rows: Record<string, unknown>[] };
    return answer.rows.map((row) => {
      const mapped = columns.map(([name, column]) => {
        const value = row[column.name];
        return [name, value === null ? null : column.mapFromDriverValue(value)];
      });
      return { ...row, ...Object.fromEntries(mapped) } as Of['$inferSelect'] & More;
    });
  };
}

/** The columns for these names of row fields. */
export const columnsOf = (table: Table, names: readonly string[], before = ''): SQL =>
  sql.raw(names.map((name) => `${before}"${getTableColumns(table)[name]?.name}"`).join(', '));
/** The placeholders for a row's values in these columns. */
export const valuesOf = (table: Table, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${sql.param(sql.placeholder(name), getTableColumns(table)[name])}`),
    sql.raw(', '),
  );

/** Inserts one whole row into its table. */
export function preparedInsert<Of extends Table>(table: Of, onConflict = sql``): (row: Of['$inferSelect']) => SQL {
  const names = Object.keys(getTableColumns(table));
  return preparedStatement(
    sql`insert into ${table} (${columnsOf(table, names)}) values (${valuesOf(table, names)}) ${onConflict}`,
  );
}

/** A row as JSON from which `jsonb_populate_recordset` restores the same row. */
export const byColumn = <Of extends Table>(table: Of, row: Of['$inferSelect']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(getTableColumns(table)).map(([name, column]) => [column.name, row[name]]));

/** Inserts any number of whole rows in one statement. */
export function preparedInsertMany<Of extends Table>(table: Of): (rows: Of['$inferSelect'][]) => SQL {
  const columns = columnsOf(table, Object.keys(getTableColumns(table)));
  const insert = preparedStatement(sql`insert into ${table} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${table}, ${sql.placeholder('rows')}::jsonb)`);
  return (rows) => insert({ rows: JSON.stringify(rows.map((row) => byColumn(table, row))) });
}

function readerOf(param: unknown): (values: Record<string, unknown>) => unknown {
  if (is(param, Placeholder)) return ({ [param.name]: value }) => value;
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value: placeholder } = param;
  return ({ [placeholder.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
}
