import type { OrderPreview, TradingLimits, TradingOrder } from '@atoll/contract';
import {
  checkGate,
  clientIdOf,
  type DemoOrder,
  decimal,
  type ExchangeAccount,
  ExchangeRefusal,
  type GateFacts,
  type GateLimits,
  type KnownOrder,
  type Market,
  mergeReport,
  type OrderRequest,
  reckonedPrice,
  sizeProblems,
  type Ticker,
} from '@atoll/trading';
import { and, count, desc, eq, type SQL } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type ConnectionRow, exchangeConnections, type OrderRow, tradingOrders } from '../table.ts';
import { viewOrder } from '../view.ts';
import { type Owned, ownedOn } from './balances.ts';
import { cancelAtExchange, cancelOpen } from './cancel.ts';
import { requireConnection } from './connections.ts';
import { demoStore, noDemoChange } from './demo-store.ts';
import { accountOf } from './exchanges.ts';
import { columnsOf, publishOrder } from './journal.ts';
import { requireMarket } from './markets.ts';
import { sendJob } from './send.ts';
import { begin, countOrders, lockDemoAccount, readBeforeOrder, selectByRequest, storeOrder } from './statements.ts';

export interface OrderInput {
  connection_id: string;
  symbol: string;
  side: TradingOrder['side'];
  type: TradingOrder['type'];
  amount: string;
  price: string | null;
  stop_price: string | null;
}

const gateLimits = (limits: TradingLimits): GateLimits => ({
  maxOrder: limits.max_order,
  maxDay: limits.max_day,
  maxDailyLoss: limits.max_daily_loss,
  ordersPerMinute: limits.orders_per_minute,
  collarPercent: limits.price_distance,
  symbols: limits.symbols,
});

const requestOf = (input: OrderInput, clientId: string): OrderRequest => ({
  clientId,
  symbol: input.symbol,
  side: input.side,
  type: input.type,
  amount: input.amount,
  price: input.type === 'limit' || input.type === 'stop_limit' ? input.price : null,
  stopPrice: input.type === 'market' || input.type === 'limit' ? null : input.stop_price,
});

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** What the gate has to know; what is owned only where a limit depends on it. */
interface Situation {
  market: Market;
  ticker: Ticker;
  owned: Owned[] | null;
  equity: string | null;
}

async function situationOf(ctx: Context, connection: ConnectionRow, symbol: string): Promise<Situation> {
  const { market, ticker } = await requireMarket(ctx, connection.type, symbol);
  const isNeeded = connection.state === 'reducing' || connection.limits.max_daily_loss !== null;
  if (!isNeeded) return { market, ticker, owned: null, equity: null };
  const { entries, total } = await ownedOn(ctx, connection);
  return { market, ticker, owned: entries, equity: total };
}

interface Counts {
  today: string;
  lastMinute: number;
}

interface Before extends Counts {
  /** The order that the same request made. */
  sentId: string | null;
  demoOrders: DemoOrder[];
}

function timesOf(ctx: Context): { today: string; minuteAgo: string } {
  const now = ctx.now();
  return { today: `${dayOf(now)}T00:00:00Z`, minuteAgo: new Date(now.getTime() - 60_000).toISOString() };
}

async function rowOf<Row>(db: Context['db'] | Transaction, statement: SQL): Promise<Row> {
  const { rows } = (await db.execute(statement).execute()) as unknown as { rows: [Row] };
  return rows[0];
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

interface Problem {
  field: string;
  code: string;
  message: string;
}

function problemOf(
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

/** The value of a day is that of its first order: what is lost is reckoned from there. */
async function beginDay(
  ctx: Context,
  tx: Transaction,
  connection: ConnectionRow,
  equity: string | null,
): Promise<ConnectionRow> {
  const day = dayOf(ctx.now());
  if (equity === null || connection.day === day) return connection;
  await tx.update(exchangeConnections).set({ day, dayEquity: equity }).where(eq(exchangeConnections.id, connection.id));
  return { ...connection, day, dayEquity: equity };
}

export async function placeOrder(
  ctx: Context,
  input: OrderInput & { request_id: string },
  source: TradingOrder['source'] = 'person',
): Promise<TradingOrder> {
  const connection = await requireConnection(ctx, ctx.db, input.connection_id, 'trade.order');
  const situation = await situationOf(ctx, connection, input.symbol);
  const id = newId();
  const request = requestOf(input, clientIdOf(id));
  const order = await ctx.write(async (write) => {
    const { tx } = write;
    const isDemo = connection.type === 'demo';
    // Asked at once and done in this order. Orders of one connection come one after the other: what the gate counts is exact.
    const { id: connectionId, userId } = connection;
    const asked = { connectionId, userId, requestId: input.request_id, clientId: request.clientId };
    const [locked, accounts, before] = await Promise.all([
      requireConnection(ctx, tx, connectionId, 'trade.order', true),
      isDemo ? lockDemoAccount(tx, { connectionId }) : [],
      rowOf<Before>(tx, readBeforeOrder({ ...asked, ...timesOf(ctx) })),
    ]);
    const [sent] = before.sentId === null ? [] : await selectByRequest(tx, asked);
    if (sent) return sent;
    const today = await beginDay(ctx, tx, locked, situation.equity);
    const problem = problemOf(ctx, today, request, situation, before);
    if (problem) {
      throw new AppError('unprocessable_entity', problem.message, {
        fields: { [problem.field]: [problem.message] },
        details: { code: problem.code },
      });
    }
    const within = ctx.within(write);
    let demoChange = noDemoChange;
    const store = demoStore(
      within,
      () => Promise.resolve([accounts, before.demoOrders]),
      (_, _id, change) => {
        demoChange = change;
      },
    );
    const known = isDemo ? await placeOnDemo(accountOf(within, locked, store), request) : formed(request);
    const now = ctx.now();
    const stored: OrderRow = {
      ...{ ...request, ...columnsOf(known), id, source, userId: locked.userId, connectionId: locked.id },
      ...{ requestId: input.request_id, sentAt: null, absences: 0, createdAt: now, updatedAt: now },
      value: decimal(request.amount).times(reckonedPrice(request, situation.ticker.last)).toFixed(),
    };
    begin(write, storeOrder({ ...stored, ...demoChange, fills: JSON.stringify(known.fills) }));
    if (known.state === 'formed') {
      await write.enqueue(sendJob, { order_id: id }, { key: id, ownerId: locked.userId, priority: 10 });
    }
    await publishOrder(write, stored, locked);
    return stored;
  });
  return viewOrder(order, connection.type);
}

const formed = ({ amount }: OrderRequest): KnownOrder => ({
  ...{ state: 'formed', exchangeId: null, amount, filled: '0', fills: [], reason: null },
});

/** The demo keeps its accounts in this database, so order and outcome are stored together. */
async function placeOnDemo(account: ExchangeAccount, request: OrderRequest): Promise<KnownOrder> {
  try {
    return mergeReport(formed(request), await account.place(request));
  } catch (error) {
    if (!(error instanceof ExchangeRefusal)) throw error;
    return { ...formed(request), state: 'rejected', reason: error.message };
  }
}

export async function previewOrder(ctx: Context, input: OrderInput): Promise<OrderPreview> {
  const connection = await requireConnection(ctx, ctx.db, input.connection_id, 'trade.order');
  const situation = await situationOf(ctx, connection, input.symbol);
  const { market, ticker } = situation;
  const request = requestOf(input, 'preview');
  const owned = situation.owned ?? (await ownedOn(ctx, connection)).entries;
  const counts = await rowOf<Counts>(ctx.db, countOrders({ connectionId: connection.id, ...timesOf(ctx) }));
  const problem = problemOf(ctx, connection, request, situation, counts);
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
  const [row] = await ctx.db
    .select({ order: tradingOrders, connection: exchangeConnections })
    .from(tradingOrders)
    .innerJoin(exchangeConnections, eq(exchangeConnections.id, tradingOrders.connectionId))
    .where(eq(tradingOrders.id, id));
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

export interface OrderFilter {
  connection_id?: string | undefined;
  symbol?: string | undefined;
  state?: TradingOrder['state'] | undefined;
}

const matching = (ctx: Context, filter: OrderFilter) =>
  and(
    eq(tradingOrders.userId, ctx.actor.userId ?? nobody),
    filter.connection_id ? eq(tradingOrders.connectionId, filter.connection_id) : undefined,
    filter.symbol ? eq(tradingOrders.symbol, filter.symbol) : undefined,
    filter.state ? eq(tradingOrders.state, filter.state) : undefined,
  );

export async function listOrders(ctx: Context, filter: OrderFilter, page: number, size: number) {
  const where = matching(ctx, filter);
  const [rows, [all]] = await Promise.all([
    ctx.db
      .select({ order: tradingOrders, type: exchangeConnections.type })
      .from(tradingOrders)
      .innerJoin(exchangeConnections, eq(exchangeConnections.id, tradingOrders.connectionId))
      .where(where)
      .orderBy(desc(tradingOrders.createdAt), desc(tradingOrders.id))
      .limit(size)
      .offset((page - 1) * size),
    ctx.db.select({ total: count() }).from(tradingOrders).where(where),
  ]);
  return {
    entries: rows.map(({ order, type }) => viewOrder(order, type)),
    page,
    page_size: size,
    total: all?.total ?? 0,
  };
}
