import {
  billingPeriods,
  exchangeTypes,
  orderSides,
  orderSources,
  requestStatuses,
  teamRoles,
  userRoles,
  visibilities,
} from '@atoll/contract';
import { gateStates, orderStates, orderTypes } from '@atoll/trading';
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

interface Check {
  table: string;
  name: string;
  definition: string;
}
const readChecks = () =>
  read<Check>(sql`select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`);

test('what the contract lists is all that can be stored where rights and money depend on it', async () => {
  const listed: [table: string, column: string, values: readonly string[]][] = [
    ['users', 'role', userRoles],
    ['projects', 'visibility', visibilities],
    ['access_requests', 'status', requestStatuses],
    ['team_join_requests', 'status', requestStatuses],
    ['team_members', 'role', teamRoles],
    ['team_invites', 'role', teamRoles],
    ['exchange_connections', 'type', exchangeTypes],
    ['exchange_connections', 'state', gateStates],
    ['trading_orders', 'side', orderSides],
    ['trading_orders', 'type', orderTypes],
    ['trading_orders', 'state', orderStates],
    ['trading_orders', 'source', orderSources],
    ['subscriptions', 'period', billingPeriods],
  ];
  const checks = await readChecks();
  for (const [table, column, values] of listed) {
    const found = checks.find(({ name }) => name === `${table}_${column}`);
    const stored = [...(found?.definition ?? '').matchAll(/'([^']*)'::text/g)].map(([, value]) => value);
    expect({ table, column, stored }).toEqual({ table, column, stored: values });
  }
});

test('amounts, and who a grant is for, are checked by the database itself', async () => {
  const checks = await readChecks();
  const definitions = Object.fromEntries(checks.map(({ name, definition }) => [name, definition]));
  expect(definitions).toMatchObject({
    project_grants_one: 'CHECK ((num_nonnulls(user_id, team_id) = 1))',
    unit_reservations_units: 'CHECK ((units > 0))',
    users_reserved_units: 'CHECK ((reserved_units >= 0))',
    users_balance: 'CHECK (((balance >= 0) AND (unbounded_balance >= 0)))',
    vouchers_units: 'CHECK ((units > 0))',
    credit_requests_for: 'CHECK ((num_nonnulls(user_id, voucher_id) = 1))',
    credit_requests_amount: 'CHECK ((amount <> 0))',
    subscriptions_paid: 'CHECK ((paid >= 0))',
    unit_purchases_units: 'CHECK (((units > 0) AND (refunded >= 0) AND (disputed >= 0)))',
    trading_orders_amounts: expect.stringContaining('filled >= '),
    trading_fills_amounts: expect.stringContaining('amount > '),
    portfolio_entries_amounts: expect.stringContaining('amount > '),
  });
});
