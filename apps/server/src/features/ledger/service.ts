import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import { ledgerEntries, ledgerTransactions } from './table.ts';

interface Booking {
  asset: 'execution_ms';
  kind: string;
  key?: string;
  referenceId: string;
  /** The step of the statement whose row is booked; when it has none, nothing is. */
  from: SQL;
  /** `(account, user, period, amount)`, written with the columns of that row; legs of zero are left out. */
  legs: SQL[];
}

/**
 * The steps of a `with` statement that book what an earlier step of it moved: balance and books change in one statement,
 * so that whoever waits for the balance does not also wait for a second one.
 */
export const booking = (ctx: Context, { asset, kind, key, referenceId, from, legs }: Booking): SQL => {
  const id = newId();
  return sql`booked as (
      insert into ${ledgerTransactions} (id, asset, kind, key, reference_id, created_at)
      select ${id}::uuid, ${asset}, ${kind}, ${key ?? null}, ${referenceId}::uuid, ${ctx.now().toISOString()}::timestamptz
      from ${from} limit 1
    ), legs as (
      insert into ${ledgerEntries} (transaction_id, account, user_id, period, amount)
      select ${id}::uuid, leg.account, leg.user_id, leg.period, leg.amount
      from ${from} cross join lateral (values ${sql.join(legs, sql`, `)}) as leg (account, user_id, period, amount)
      where leg.amount <> 0
    )`;
};
