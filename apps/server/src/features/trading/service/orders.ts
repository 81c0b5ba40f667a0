import type { OrderPreview, TradingOrder, transactionFilter } from '@atoll/contract';
import { decimal, reckonedPrice } from '@atoll/trading';
import { and, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { notFound } from '../../../platform/errors.ts';
import { type ConnectionRow, exchangeConnections, type OrderRow, tradingOrders } from '../table.ts';
import { viewOrder } from '../view.ts';
import { ownedOn } from './balances.ts';
import { cancelAtExchange, cancelOpen } from './cancel.ts';
import { requireConnection } from './connections.ts';
import { type Counts, type OrderInput, problemOf, requestOf, situationOf, timesOf } from './gate.ts';
import { findOrder } from './send.ts';
import { readConnections } from './statements.ts';

export async function previewOrder(ctx: Context, input: OrderInput): Promise<OrderPreview> {
  const connection = await requireConnection(ctx, ctx.db, input.connection_id, 'trade.order');
  const situation = await situationOf(ctx, connection, input.symbol);
  const { market, ticker } = situation;
  const request = requestOf(input, 'preview');
  const owned = situation.owned ?? (await ownedOn(ctx, connection)).entries;
  const facts = await ctx.db.execute(readConnections({ connectionIds: [connection.id], ...timesOf(ctx) }));
  const [counts] = rowsOf<Counts>(facts);
  const problem = problemOf(ctx, connection, request, situation, counts as Counts);
  const isBuying = request.side === 'buy';
  const price =
    request.type === 'market'
      ? ((isBuying ? ticker.ask : ticker.bid) ?? ticker.last)
      : reckonedPrice(request, ticker.last);
  const value = decimal(request.amount).times(price);
  const paidWith = isBuying ? market.quote : market.base;
  const free = decimal(owned.find(({ asset }) => asset === paidWith)?.free ?? 0);
  const after = free.minus(isBuying ? value : request.amount);
  const problems = problem ? [{ field: problem.field, message: problem.message }] : [];
  if (!problem && after.lt(0)) problems.push({ field: 'amount', message: `You have ${free.toFixed()} ${paidWith}` });
  return {
    price,
    value: value.round(8).toFixed(),
    fee: value.times(market.takerFee).round(8).toFixed(),
    balance_after: after.lt(0) ? null : after.round(8).toFixed(),
    paid_with: paidWith,
    problems,
  };
}

async function requireOrder(ctx: Context, id: string): Promise<{ order: OrderRow; connection: ConnectionRow }> {
  const row = await findOrder(ctx, id);
  if (!row || row.order.userId !== ctx.actor.userId) throw notFound('This order');
  ctx.authorize('trade.order', row.order);
  return row;
}

export async function cancelOne(ctx: Context, id: string): Promise<TradingOrder> {
  const { order, connection } = await requireOrder(ctx, id);
  if (order.state !== 'formed' && order.state !== 'open') return viewOrder(order, connection.type);
  return viewOrder(await cancelAtExchange(ctx, connection, order), connection.type);
}

export async function cancelAll(ctx: Context, connectionId: string, symbol?: string): Promise<number> {
  const connection = await requireConnection(ctx, ctx.db, connectionId, 'trade.order');
  return cancelOpen(ctx, connection, symbol);
}

export type OrderFilter = z.output<typeof transactionFilter>;

const matching = (ctx: Context, filter: OrderFilter) =>
  and(
    eq(tradingOrders.userId, ctx.actor.userId ?? nobody),
    filter.connection_id ? eq(tradingOrders.connectionId, filter.connection_id) : undefined,
    filter.symbol ? eq(tradingOrders.symbol, filter.symbol) : undefined,
    filter.state ? eq(tradingOrders.state, filter.state) : undefined,
  );

export async function listOrders(ctx: Context, filter: OrderFilter, page: number, size: number) {
  const where = matching(ctx, filter);
  const [rows, total] = await Promise.all([
    ctx.db
      .select({ order: tradingOrders, type: exchangeConnections.type })
      .from(tradingOrders)
      .innerJoin(exchangeConnections, eq(exchangeConnections.id, tradingOrders.connectionId))
      .where(where)
      .orderBy(desc(tradingOrders.createdAt), desc(tradingOrders.id))
      .limit(size)
      .offset((page - 1) * size),
    ctx.db.$count(tradingOrders, where),
  ]);
  return { entries: rows.map(({ order, type }) => viewOrder(order, type)), page, page_size: size, total };
}
