import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import {
  columnsOf,
  preparedInsert,
  preparedRows,
  preparedStatement,
  valuesOf,
} from '../../../platform/db/prepared-statement.ts';
import { demoAccounts, demoOrders, exchangeConnections, tradingFills, tradingOrders } from '../table.ts';

/** What every order needs, so often that its text is put together once. */

/** Begun now, so that what is read after it sees it, and waited for with the commit. */
export function begin({ tx, last }: Write, statement: SQL): void {
  const begun = tx.execute(statement).execute();
  begun.catch(() => {});
  last(() => begun);
}

const value = sql.placeholder;
const isConnection = sql`${exchangeConnections.id} = ${value('id')} and ${exchangeConnections.deletedAt} is null`;
export const selectConnection = preparedRows(exchangeConnections, { where: isConnection });
export const lockConnection = preparedRows(exchangeConnections, { where: sql`${isConnection} for update` });

export const selectByRequest = preparedRows(tradingOrders, {
  where: sql`${tradingOrders.userId} = ${value('userId')} and ${tradingOrders.requestId} = ${value('requestId')}`,
});

/** Of a connection today, and in the last minute, which may have been yesterday. */
const counts = sql`
    coalesce(sum(${tradingOrders.value}) filter (where ${tradingOrders.state} <> 'rejected'
      and ${tradingOrders.createdAt} >= ${value('today')}::timestamptz), 0)::text as today,
    (count(*) filter (where ${tradingOrders.createdAt} > ${value('minuteAgo')}::timestamptz))::int as "lastMinute"`;
const counted = sql`from ${tradingOrders}
  where ${tradingOrders.connectionId} = ${value('connectionId')} and ${tradingOrders.source} <> 'foreign'
    and ${tradingOrders.createdAt} >= least(${value('today')}::timestamptz, ${value('minuteAgo')}::timestamptz)`;
export const countOrders = preparedStatement(sql`select ${counts} ${counted}`);
/** The same, whether the request was stored before, and what the demo has open or knows of the order. */
export const readBeforeOrder = preparedStatement(sql`select ${counts},
    (select ${tradingOrders.id} from ${tradingOrders} where ${tradingOrders.userId} = ${value('userId')}
      and ${tradingOrders.requestId} = ${value('requestId')}) as "sentId",
    (select coalesce(jsonb_agg(${demoOrders.order}), '[]') from ${demoOrders}
      where ${demoOrders.connectionId} = ${value('connectionId')}
        and (${demoOrders.isOpen} or ${demoOrders.clientId} = ${value('clientId')})) as "demoOrders"
  ${counted}`);

export const insertFill = preparedInsert(tradingFills, sql`on conflict do nothing`);

export const lockDemoAccount = preparedRows(demoAccounts, {
  where: sql`${demoAccounts.connectionId} = ${value('connectionId')} for update`,
});
export const selectDemoOrders = preparedRows(demoOrders, {
  where: sql`${demoOrders.connectionId} = ${value('connectionId')}
    and (${demoOrders.isOpen} or ${demoOrders.clientId} = ${value('clientId')})`,
});

/** Null where they are as they were. */
const changeBalances = sql`update ${demoAccounts} set balances = ${value('balances')}::jsonb
  where ${demoAccounts.connectionId} = ${value('connectionId')} and ${value('balances')}::jsonb is not null`;
const storeDemoOrders = sql`insert into ${demoOrders} (connection_id, client_id, is_open, "order")
  select ${value('connectionId')}::uuid, changed ->> 'clientId', changed ->> 'state' = 'open', changed
  from jsonb_array_elements(${value('demoOrders')}::jsonb) as changed
  on conflict (connection_id, client_id) do update set is_open = excluded.is_open, "order" = excluded."order"`;
export const storeDemo = preparedStatement(sql`with account as (${changeBalances}) ${storeDemoOrders}`);

const orderColumns = Object.keys(getTableColumns(tradingOrders));
/** An order with its fills and what it changed on the demo, in one statement: the database spends more on each than on a row. */
export const storeOrder = preparedStatement(sql`with placed as (
    insert into ${tradingOrders} (${columnsOf(tradingOrders, orderColumns)}) values (${valuesOf(tradingOrders, orderColumns)})
  ), filled as (
    insert into ${tradingFills} (order_id, fill_id, amount, price, fee, fee_asset, at)
    select ${value('id')}::uuid, fill.id, amount, price, fee, "feeAsset", to_timestamp(fill.at / 1000)
    from jsonb_to_recordset(${value('fills')}::jsonb)
      as fill (id text, amount numeric, price numeric, fee numeric, "feeAsset" text, at numeric)
    on conflict do nothing
  ), account as (${changeBalances}) ${storeDemoOrders}`);
