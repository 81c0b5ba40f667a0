import { type SQL, sql } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import { preparedInsert, preparedRows, preparedStatement } from '../../../platform/db/prepared-statement.ts';
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
export const countOrders = preparedStatement(sql`select
    coalesce(sum(${tradingOrders.value}) filter (where ${tradingOrders.state} <> 'rejected'
      and ${tradingOrders.createdAt} >= ${value('today')}::timestamptz), 0)::text as today,
    (count(*) filter (where ${tradingOrders.createdAt} > ${value('minuteAgo')}::timestamptz))::int as "lastMinute"
  from ${tradingOrders}
  where ${tradingOrders.connectionId} = ${value('connectionId')} and ${tradingOrders.source} <> 'foreign'
    and ${tradingOrders.createdAt} >= least(${value('today')}::timestamptz, ${value('minuteAgo')}::timestamptz)`);

export const insertOrder = preparedInsert(tradingOrders);
export const insertFill = preparedInsert(tradingFills, sql`on conflict do nothing`);

export const lockDemoAccount = preparedRows(demoAccounts, {
  where: sql`${demoAccounts.connectionId} = ${value('connectionId')} for update`,
});
export const selectDemoOrders = preparedRows(demoOrders, {
  where: sql`${demoOrders.connectionId} = ${value('connectionId')}
    and (${demoOrders.isOpen} or ${demoOrders.clientId} = ${value('clientId')})`,
});
export const updateDemoBalances = preparedStatement(sql`update ${demoAccounts}
  set balances = ${value('balances')}::jsonb where ${demoAccounts.connectionId} = ${value('connectionId')}`);
export const upsertDemoOrder = preparedInsert(
  demoOrders,
  sql`on conflict (connection_id, client_id) do update set is_open = excluded.is_open, "order" = excluded."order"`,
);
