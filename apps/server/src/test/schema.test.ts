import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { rowsOf } from '../platform/db/rows.ts';
import { freshDatabase } from './fresh-database.ts';

/** What holds for every table, those of tomorrow too. */

async function read<Row>(statement: ReturnType<typeof sql>): Promise<Row[]> {
  const database = await freshDatabase();
  onTestFinished(() => database.close());
  return rowsOf<Row>(await database.db.execute(statement));
}

test('every foreign key has an index: without one a deletion reads the whole table for each row', async () => {
  // The index begins with the key's columns, in any order. One of the rows that have a value at all will do.
  const missing = await read<{ table: string; columns: string }>(sql`
    with keys as (
      select conrelid, (select array_agg(number order by number) from unnest(conkey) as number) as numbers,
        (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
          where attrelid = conrelid and attnum = any(conkey)) as columns
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    ) select conrelid::regclass::text as "table", columns from keys where not exists (
      select from pg_index where indrelid = conrelid and indisvalid
        and (select array_agg(number order by number) from unnest((indkey::int2[])[0:cardinality(numbers) - 1]) as number) = numbers
        and coalesce(pg_get_expr(indpred, indrelid), '') in ('', format('(%s IS NOT NULL)', columns))
    ) order by 1, 2`);
  expect(missing).toEqual([]);
});
