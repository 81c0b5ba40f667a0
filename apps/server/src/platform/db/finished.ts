import { is, Param, Placeholder, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
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

function readerOf(param: unknown): (values: Record<string, unknown>) => unknown {
  if (is(param, Placeholder)) return ({ [param.name]: value }) => value;
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value: placeholder } = param;
  return ({ [placeholder.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
}
