import { createHash } from 'node:crypto';
import type { TradingOrder } from '@atoll/contract';
import { type RebalancePlan, rebalance } from '@atoll/trading';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { claimRequest, clientRequest } from '../../../platform/realtime/apply-once.ts';
import { ownedOn } from '../../trading/service/balances.ts';
import { requireConnection } from '../../trading/service/connections.ts';
import { marketsOf, tickersOf } from '../../trading/service/markets.ts';
import { placeOrder } from '../../trading/service/place.ts';
import { connectionsOf } from './holdings.ts';
import { requirePortfolio } from './portfolios.ts';

async function requireOwn(ctx: Context, id: string, connectionId: string) {
  const { portfolio } = await requirePortfolio(ctx, id, 'portfolio.trade');
  const connection = await requireConnection(ctx, ctx.db, connectionId, 'trade.order');
  if (!(await connectionsOf(ctx, id)).some((each) => each.id === connection.id)) {
    throw invalidField('connection_id', 'This connection is not part of the portfolio.');
  }
  return { portfolio, connection };
}

export async function planRebalance(ctx: Context, id: string, connectionId: string): Promise<RebalancePlan> {
  const { portfolio, connection } = await requireOwn(ctx, id, connectionId);
  const { tradeAsset, targets } = portfolio;
  if (Object.keys(targets).length === 0) throw invalidField('targets', 'Set targets first.');
  const [{ entries }, markets, tickers] = await Promise.all([
    ownedOn(ctx, connection),
    marketsOf(ctx, connection.type),
    tickersOf(ctx, connection.type),
  ]);
  const owned = new Map(entries.map(({ asset, free, used }) => [asset, { free, used }]));
  return rebalance(owned, new Map(Object.entries(targets)), tradeAsset, (asset) => {
    const symbol = `${asset}/${tradeAsset}`;
    const [market, ticker] = [markets.get(symbol), tickers.get(symbol)];
    return market && ticker ? { market, price: ticker.last } : null;
  });
}

/** The same for the same place in the same request: sent again, each order is the one that was placed. */
function requestIdOf(requestId: string, index: number): string {
  const digits = createHash('sha256').update(`${requestId} ${index}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

export async function placeRebalance(
  ctx: Context,
  id: string,
  input: { connection_id: string; request_id: string; orders: Pick<TradingOrder, 'symbol' | 'side' | 'amount'>[] },
): Promise<{ orders: TradingOrder[]; problem: string | null }> {
  await requireOwn(ctx, id, input.connection_id);
  await ctx.write((write) =>
    claimRequest(ctx, write, clientRequest(input.request_id, [id, input.connection_id, input.orders])),
  );
  const orders: TradingOrder[] = [];
  for (const [index, { symbol, side, amount }] of input.orders.entries()) {
    try {
      const order = await placeOrder(
        ctx,
        {
          ...{ connection_id: input.connection_id, request_id: requestIdOf(input.request_id, index) },
          ...{ symbol, side, amount, type: 'market', price: null, stop_price: null },
        },
        'portfolio',
      );
      orders.push(order);
      if (order.state === 'rejected') return { orders, problem: order.reason };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { orders, problem: error.message };
    }
  }
  return { orders, problem: null };
}
