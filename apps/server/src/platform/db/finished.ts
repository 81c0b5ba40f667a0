import { getTableColumns, is, Param, Placeholder, type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from './database.ts';
import { prepared } from './postgres-session.ts';

/**
 * A statement that is run so often that putting its text together each time would take longer than the database does:
 * that is done once, and each connection parses it once. Its values are `sql.placeholder`s.
 */
export function finished(statement: SQL): (values: object) => SQL {
  const { sql: text, params } = new PgDialect().sqlToQuery(sql`${prepared} ${statement}`);
  const readers = params.map((param) => readerOf(param));
  return (values) => {
    const query = { sql: text, params: readers.map((read) => read(values as Record<string, unknown>)) };
    // All that is asked of a statement when it is executed.
    const done = { getSQL: () => done, toQuery: () => query } as unknown as SQL;
    return done;
  };
}

/** The rows of a table by such a statement, and beside each what else is asked for. */
export function finishedRows<Of extends PgTable, More extends object = object>(
  table: Of,
  { where, more = {} }: { where: SQL; more?: Record<string, SQL> },
): (db: Database | Transaction, values: object) => Promise<(Of['$inferSelect'] & More)[]> {
  const columns = Object.entries(getTableColumns(table));
  const asked = [
    ...columns.map(([, column]) => sql`${column}`),
    ...Object.entries(more).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
  ];
  const select = finished(sql`select ${sql.join(asked, sql.raw(', '))} from ${table} where ${where}`);
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

function readerOf(param: unknown): (values: Record<string, unknown>) => unknown {
  if (is(param, Placeholder)) return ({ [param.name]: value }) => value;
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value: placeholder } = param;
  return ({ [placeholder.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
}
