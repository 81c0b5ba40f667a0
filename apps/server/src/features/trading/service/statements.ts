import type { DemoOrder } from '@atoll/trading';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import {
  byColumn,
  columnsOf,
  preparedInsert,
  preparedRows,
  preparedStatement,
} from '../../../platform/db/prepared-statement.ts';
import {
  type DemoAccountRow,
  demoAccounts,
  demoOrders,
  exchangeConnections,
  type OrderRow,
  tradingFills,
  tradingOrders,
} from '../table.ts';

/** What every order needs, so often that its text is put together once. */

/** Begun now, so that what is read after it sees it, and waited for with the commit. */
export function begin({ tx, last }: Write, statement: SQL): void {
  const begun = tx.execute(statement).execute();
  begun.catch(() => {});
  last(() => begun);
}

const value = sql.placeholder;
const isThere = sql`${exchangeConnections.deletedAt} is null`;
export const selectConnection = preparedRows(exchangeConnections, {
  where: sql`${exchangeConnections.id} = ${value('id')} and ${isThere}`,
});
/** In one order for all, so that no two wait for each other. */
export const lockConnections = preparedRows(exchangeConnections, {
  where: sql`${exchangeConnections.id} = any(${value('connectionIds')}::uuid[]) and ${isThere}
    order by ${exchangeConnections.id} for update`,
});
export const lockDemoAccounts = preparedRows(demoAccounts, {
  where: sql`${demoAccounts.connectionId} = any(${value('connectionIds')}::uuid[])
    order by ${demoAccounts.connectionId} for update`,
});

/** Requests of people, by their places in both lists. */
export const selectByRequest = preparedRows(tradingOrders, {
  where: sql`(${tradingOrders.userId}, ${tradingOrders.requestId}) in
    (select * from unnest(${value('userIds')}::uuid[], ${value('requestIds')}::uuid[]))`,
});

const today = sql`${value('today')}::timestamptz`;
const minuteAgo = sql`${value('minuteAgo')}::timestamptz`;
/**
 * Of each connection: what it has sent in the last minute, which may have been yesterday, and today where that is limited; and
 * what it has open on the demo.
 */
export const readConnections = preparedStatement(sql`select ${exchangeConnections.id}, counted.*, demo.*
  from ${exchangeConnections}, lateral (
    select coalesce(sum(${tradingOrders.value}) filter (
        where ${tradingOrders.state} <> 'rejected' and ${tradingOrders.createdAt} >= ${today}), 0)::text as today,
      (count(*) filter (where ${tradingOrders.createdAt} > ${minuteAgo}))::int as "lastMinute"
    from ${tradingOrders}
    where ${tradingOrders.connectionId} = ${exchangeConnections.id} and ${tradingOrders.source} <> 'foreign'
      and ${tradingOrders.createdAt} >= case when ${exchangeConnections.limits} ->> 'max_day' is null
        then ${minuteAgo} else least(${today}, ${minuteAgo}) end
  ) as counted, lateral (
    select coalesce(jsonb_agg(${demoOrders.order}), '[]') as "demoOrders" from ${demoOrders}
    where ${demoOrders.connectionId} = ${exchangeConnections.id} and ${demoOrders.isOpen}
  ) as demo
  where ${exchangeConnections.id} = any(${value('connectionIds')}::uuid[])`);

export const insertFill = preparedInsert(tradingFills, sql`on conflict do nothing`);

export const selectDemoOrders = preparedRows(demoOrders, {
  where: sql`${demoOrders.connectionId} = ${value('connectionId')}
    and (${demoOrders.isOpen} or ${demoOrders.clientId} = ${value('clientId')})`,
});

const changeBalances = sql`update ${demoAccounts} set balances = changed.balances
  from jsonb_to_recordset(${value('balances')}::jsonb) as changed ("connectionId" uuid, balances jsonb)
  where ${demoAccounts.connectionId} = changed."connectionId"`;
const storeDemoOrders = sql`insert into ${demoOrders} (connection_id, client_id, is_open, "order")
  select "connectionId", "order" ->> 'clientId', "order" ->> 'state' = 'open', "order"
  from jsonb_to_recordset(${value('demoOrders')}::jsonb) as changed ("connectionId" uuid, "order" jsonb)
  on conflict (connection_id, client_id) do update set is_open = excluded.is_open, "order" = excluded."order"`;

export interface DemoChanges {
  balances: { connectionId: string; balances: DemoAccountRow['balances'] }[];
  demoOrders: { connectionId: string; order: DemoOrder }[];
}
const asJson = (lists: object) =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, JSON.stringify(list)]));
const storingDemo = preparedStatement(sql`with account as (${changeBalances}) ${storeDemoOrders}`);
export const storeDemo = (changes: DemoChanges): SQL => storingDemo(asJson(changes));

const orderColumns = columnsOf(tradingOrders, Object.keys(getTableColumns(tradingOrders)));
const storingOrders = preparedStatement(sql`with placed as (
    insert into ${tradingOrders} (${orderColumns})
    select ${orderColumns} from jsonb_populate_recordset(null::${tradingOrders}, ${value('orders')}::jsonb)
  ), filled as (
    insert into ${tradingFills} (order_id, fill_id, amount, price, fee, fee_asset, at)
    select "orderId", fill.id, amount, price, fee, "feeAsset", to_timestamp(fill.at / 1000)
    from jsonb_to_recordset(${value('fills')}::jsonb)
      as fill ("orderId" uuid, id text, amount numeric, price numeric, fee numeric, "feeAsset" text, at numeric)
    on conflict do nothing
  ), account as (${changeBalances}) ${storeDemoOrders}`);
/** Orders with their fills and what they changed on the demo, in one statement: the database spends more on each than on a row. */
export const storeOrders = ({ orders, ...lists }: DemoChanges & { orders: OrderRow[]; fills: object[] }): SQL =>
  storingOrders(asJson({ ...lists, orders: orders.map((order) => byColumn(tradingOrders, order)) }));
