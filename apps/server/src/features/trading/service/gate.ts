import type { EndpointInput, TradingLimits } from '@atoll/contract';
import {
  checkGate,
  decimal,
  type GateFacts,
  type GateLimits,
  type Market,
  type OrderRequest,
  sizeProblems,
  type Ticker,
} from '@atoll/trading';
import type { Context } from '../../../platform/context.ts';
import type { ConnectionRow } from '../table.ts';
import { type Owned, ownedOn } from './balances.ts';
import { requireMarket } from './markets.ts';

/** What is asked of every order, whoever sends it. */

export type OrderInput = EndpointInput<'trading', 'preview'>;

const gateLimits = (limits: TradingLimits): GateLimits => ({
  maxOrder: limits.max_order,
  maxDay: limits.max_day,
  maxDailyLoss: limits.max_daily_loss,
  ordersPerMinute: limits.orders_per_minute,
  collarPercent: limits.price_distance,
  symbols: limits.symbols,
});

export const requestOf = (input: OrderInput, clientId: string): OrderRequest => ({
  clientId,
  symbol: input.symbol,
  side: input.side,
  type: input.type,
  amount: input.amount,
  price: input.type === 'limit' || input.type === 'stop_limit' ? input.price : null,
  stopPrice: input.type === 'market' || input.type === 'limit' ? null : input.stop_price,
});

export const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** What the gate has to know; what is owned only where a limit depends on it. */
export interface Situation {
  market: Market;
  ticker: Ticker;
  owned: Owned[] | null;
  equity: string | null;
}

/** Then what is owned has to be asked for, which no transaction waits for. */
export const dependsOnOwned = ({ state, limits }: ConnectionRow): boolean =>
  state === 'reducing' || limits.max_daily_loss !== null;

export async function situationOf(ctx: Context, connection: ConnectionRow, symbol: string): Promise<Situation> {
  const { market, ticker } = await requireMarket(ctx, connection.type, symbol);
  if (!dependsOnOwned(connection)) return { market, ticker, owned: null, equity: null };
  const { entries, total } = await ownedOn(ctx, connection);
  return { market, ticker, owned: entries, equity: total };
}

export interface Counts {
  today: string;
  lastMinute: number;
}

export function timesOf(ctx: Context): { today: string; minuteAgo: string } {
  const now = ctx.now();
  return { today: `${dayOf(now)}T00:00:00Z`, minuteAgo: new Date(now.getTime() - 60_000).toISOString() };
}

function factsOf(
  ctx: Context,
  connection: ConnectionRow,
  { market, owned, equity }: Situation,
  counts: Counts,
): GateFacts {
  const day = dayOf(ctx.now());
  const base = owned?.find(({ asset }) => asset === market.base);
  const lost =
    connection.day === day && connection.dayEquity && equity ? decimal(connection.dayEquity).minus(equity) : decimal(0);
  return {
    state: connection.state,
    ordersInLastMinute: counts.lastMinute,
    tradedToday: counts.today,
    lostToday: (lost.gt(0) ? lost : decimal(0)).toFixed(),
    owned: base ? decimal(base.free).plus(base.used).toFixed() : '0',
  };
}

export interface Problem {
  field: string;
  code: string;
  message: string;
}

export function problemOf(
  ctx: Context,
  connection: ConnectionRow,
  request: OrderRequest,
  situation: Situation,
  counts: Counts,
): Problem | null {
  if (!connection.isArmed) {
    return {
      field: 'connection_id',
      code: 'not_armed',
      message: 'Orders with real money are not allowed yet: arm this connection first.',
    };
  }
  const { market, ticker } = situation;
  const [size] = sizeProblems(market, request, ticker.last);
  if (size) return { ...size, field: size.field === 'stopPrice' ? 'stop_price' : size.field };
  const facts = factsOf(ctx, connection, situation, counts);
  const refusal = checkGate(
    request,
    { market, ticker, now: ctx.now().getTime() },
    gateLimits(connection.limits),
    facts,
  );
  return refusal && { field: 'amount', ...refusal };
}
