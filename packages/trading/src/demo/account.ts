import { type DecimalValue, decimal, floorToStep, least, sum, zero } from '../decimal.ts';
import {
  type Balance,
  ExchangeRefusal,
  type Fill,
  isFinal,
  type Level,
  type Market,
  type OrderReport,
  type OrderRequest,
  type Side,
} from '../port.ts';
import { sizeProblems } from '../sizes.ts';

/** An order as the demo exchange keeps it. */
export interface DemoOrder extends OrderRequest {
  state: OrderReport['state'];
  fills: Fill[];
  reason: string | null;
  createdAt: number;
  /** Up to when the market was looked at for it. */
  settledAt: number;
  isTriggered: boolean;
  /** What is still held of the asset it pays with. */
  held: string;
}

export interface DemoAccount {
  balances: Map<string, { free: string; used: string }>;
  /** At least the open ones, and whichever is asked for. */
  orders: Map<string, DemoOrder>;
}

/** What the account needs to know of the market, so that it can be tried with any. */
export interface DemoMarket {
  market: Market;
  priceAt(at: number): string;
  /** What stands against an order of this side, from the best price on. */
  levels(side: Side, at: number): Iterable<Level>;
  crossing(from: number, to: number, limit: string, direction: 'down' | 'up'): number | null;
  /** How much a resting order gets in the minute that begins there. */
  amountIn(minute: number): string;
}

const minuteMs = 60_000;

export const startingBalances = (): DemoAccount['balances'] => new Map([['USDT', { free: '10000', used: '0' }]]);

const remaining = (order: DemoOrder): DecimalValue =>
  decimal(order.amount).minus(sum(order.fills.map(({ amount }) => amount)));

export const reportOf = (order: DemoOrder): OrderReport => ({
  clientId: order.clientId,
  exchangeId: `demo-${order.clientId}`,
  symbol: order.symbol,
  side: order.side,
  type: order.type,
  amount: order.amount,
  price: order.price,
  stopPrice: order.stopPrice,
  state: order.state,
  filled: sum(order.fills.map(({ amount }) => amount)).toFixed(),
  fills: order.fills,
  reason: order.reason,
  at: order.settledAt,
});

const balanceOf = (account: DemoAccount, asset: string) => account.balances.get(asset) ?? { free: '0', used: '0' };

function change(account: DemoAccount, asset: string, free: DecimalValue, used: DecimalValue): void {
  const now = balanceOf(account, asset);
  account.balances.set(asset, {
    free: decimal(now.free).plus(free).toFixed(),
    used: decimal(now.used).plus(used).toFixed(),
  });
}

const payingAsset = ({ market }: DemoMarket, order: OrderRequest) =>
  order.side === 'buy' ? market.quote : market.base;

/** Gives back what the order holds no more. */
function release(account: DemoAccount, world: DemoMarket, order: DemoOrder): void {
  change(account, payingAsset(world, order), decimal(order.held), zero.minus(order.held));
  order.held = '0';
}

function fill(
  account: DemoAccount,
  world: DemoMarket,
  order: DemoOrder,
  amount: DecimalValue,
  price: string,
  at: number,
  rate: string,
): void {
  const { base, quote } = world.market;
  const cost = amount.times(price);
  const [pays, gets] = order.side === 'buy' ? [cost, amount] : [amount, cost];
  const [paid, got] = order.side === 'buy' ? [quote, base] : [base, quote];
  const fee = gets.times(rate);
  const fromHeld = least(decimal(order.held), pays);
  order.held = decimal(order.held).minus(fromHeld).toFixed();
  change(account, paid, zero.minus(pays.minus(fromHeld)), zero.minus(fromHeld));
  change(account, got, gets.minus(fee), zero);
  order.fills.push({
    id: `${order.clientId}-${order.fills.length + 1}`,
    amount: amount.toFixed(),
    price,
    fee: fee.toFixed(),
    feeAsset: got,
    at,
  });
}

const isWithin = (order: DemoOrder, price: string) =>
  order.price === null || (order.side === 'buy' ? decimal(price).lte(order.price) : decimal(price).gte(order.price));

/** Takes what stands in the book, up to the order's own price and to what its owner has. */
function take(account: DemoAccount, world: DemoMarket, order: DemoOrder, at: number): void {
  for (const level of world.levels(order.side, at)) {
    const left = remaining(order);
    if (left.lte(0) || !isWithin(order, level.price)) break;
    const has = decimal(balanceOf(account, payingAsset(world, order)).free).plus(order.held);
    const most = order.side === 'buy' ? floorToStep(has.div(level.price), world.market.amountStep) : has;
    const amount = least(least(left, decimal(level.amount)), most);
    if (amount.lte(0)) break;
    fill(account, world, order, amount, level.price, at, world.market.takerFee);
  }
}

function end(
  account: DemoAccount,
  world: DemoMarket,
  order: DemoOrder,
  state: OrderReport['state'],
  reason: string | null,
): void {
  order.state = state;
  order.reason = reason;
  release(account, world, order);
}

/** What cannot rest: filled now as far as the book and the money go. */
function takeNow(account: DemoAccount, world: DemoMarket, order: DemoOrder, at: number): void {
  take(account, world, order, at);
  if (remaining(order).lte(0)) end(account, world, order, 'closed', null);
  else end(account, world, order, 'expired', order.fills.length > 0 ? 'The book had no more' : 'Not enough balance');
}

const isTriggeredType = (order: OrderRequest) => order.type !== 'market' && order.type !== 'limit';
/** Which way the price has to go for the order to become active. */
const triggerDirection = (order: OrderRequest): 'down' | 'up' =>
  (order.side === 'buy') === (order.type === 'take_profit') ? 'down' : 'up';

const bestOf = (levels: Iterable<Level>): string | null => {
  for (const { price } of levels) return price;
  return null;
};

export function placeOrder(account: DemoAccount, world: DemoMarket, request: OrderRequest, now: number): DemoOrder {
  const { market } = world;
  if (account.orders.has(request.clientId)) throw new ExchangeRefusal('duplicate_order', 'This order was sent already');
  if (!market.isActive) throw new ExchangeRefusal('market_closed', `${market.symbol} is not traded at the moment`);
  const last = world.priceAt(now);
  const [problem] = sizeProblems(market, request, last);
  if (problem) throw new ExchangeRefusal(problem.code, problem.message);
  if (isTriggeredType(request)) {
    const isUp = triggerDirection(request) === 'up';
    const isPast = isUp ? decimal(last).gte(request.stopPrice ?? 0) : decimal(last).lte(request.stopPrice ?? 0);
    if (isPast)
      throw new ExchangeRefusal('would_trigger', `The price is already at ${last}: it would be triggered at once`);
  }
  const order: DemoOrder = {
    ...request,
    ...{ state: 'open', fills: [], reason: null, createdAt: now, settledAt: now, isTriggered: false, held: '0' },
  };
  const needed =
    request.side === 'sell'
      ? decimal(request.amount)
      : decimal(request.amount).times(request.price ?? request.stopPrice ?? bestOf(world.levels('buy', now)) ?? last);
  const asset = payingAsset(world, request);
  const { free } = balanceOf(account, asset);
  if (decimal(free).lt(needed)) {
    throw new ExchangeRefusal('insufficient_funds', `Needs ${needed.toFixed()} ${asset}, ${free} are free`);
  }
  account.orders.set(order.clientId, order);
  if (request.type === 'market') {
    takeNow(account, world, order, now);
    return order;
  }
  order.held = needed.toFixed();
  change(account, asset, zero.minus(needed), needed);
  if (request.type === 'limit') {
    take(account, world, order, now);
    if (remaining(order).lte(0)) end(account, world, order, 'closed', null);
  }
  return order;
}

/** Brings an open order up to the moment. What happened in between happened at its own time, also while no server ran. */
export function settleOrder(account: DemoAccount, world: DemoMarket, order: DemoOrder, now: number): void {
  while (!isFinal(order.state) && order.settledAt < now) {
    if (isTriggeredType(order) && !order.isTriggered) {
      const at = world.crossing(order.settledAt, now, order.stopPrice ?? '0', triggerDirection(order));
      order.settledAt = at ?? now;
      if (at === null) return;
      order.isTriggered = true;
      if (order.type !== 'stop_limit') takeNow(account, world, order, at);
      continue;
    }
    const limit = order.price ?? '0';
    const at = world.crossing(order.settledAt, now, limit, order.side === 'buy' ? 'down' : 'up');
    if (at === null) {
      order.settledAt = now;
      return;
    }
    // A gap can open beyond the limit: then the better price is paid.
    const reached = decimal(world.priceAt(at));
    const isBetter = order.side === 'buy' ? reached.lt(limit) : reached.gt(limit);
    const minute = Math.floor(at / minuteMs) * minuteMs;
    const amount = least(remaining(order), decimal(world.amountIn(minute)));
    fill(account, world, order, amount, isBetter ? reached.toFixed() : limit, Math.round(at), world.market.makerFee);
    order.settledAt = minute + minuteMs;
    if (remaining(order).lte(0)) end(account, world, order, 'closed', null);
  }
}

export function cancelOrder(account: DemoAccount, world: DemoMarket, order: DemoOrder, now: number): void {
  settleOrder(account, world, order, now);
  if (!isFinal(order.state)) end(account, world, order, 'canceled', null);
}

export const balancesOf = (account: DemoAccount): Balance[] =>
  [...account.balances]
    .filter(([, { free, used }]) => decimal(free).plus(used).gt(0))
    .map(([asset, { free, used }]) => ({ asset, free, used }));
