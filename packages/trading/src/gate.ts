import { decimal } from './decimal.ts';
import type { Market, OrderRequest, Ticker } from './port.ts';
import { reckonedPrice } from './sizes.ts';

export const gateStates = ['active', 'reducing', 'halted'] as const;
export type GateState = (typeof gateStates)[number];

/** Set by the owner of a connection; null is no limit. Money is in the quote of the market. */
export interface GateLimits {
  maxOrder: string | null;
  maxDay: string | null;
  maxDailyLoss: string | null;
  ordersPerMinute: number;
  /** How far from the last price an order may be, in percent. */
  collarPercent: number;
  symbols: string[] | null;
}

export const usualLimits: GateLimits = {
  maxOrder: null,
  maxDay: null,
  maxDailyLoss: null,
  ordersPerMinute: 60,
  collarPercent: 20,
  symbols: null,
};

/** What the gate has to know about the connection at this moment. */
export interface GateFacts {
  state: GateState;
  ordersInLastMinute: number;
  /** Sent since midnight UTC, in the quote. */
  tradedToday: string;
  lostToday: string;
  /** Of the base, held and in orders. */
  owned: string;
}

export interface GateRefusal {
  code:
    | 'halted'
    | 'only_reducing'
    | 'symbol_not_allowed'
    | 'too_many_orders'
    | 'stale_price'
    | 'too_far_from_price'
    | 'order_too_large'
    | 'day_limit'
    | 'daily_loss';
  message: string;
}

export const staleAfterMs = 60_000;

/** Everything that sends an order passes here: people, portfolios, strategies. */
export function checkGate(
  order: Pick<OrderRequest, 'symbol' | 'side' | 'type' | 'amount' | 'price' | 'stopPrice'>,
  { market, ticker, now }: { market: Market; ticker: Ticker; now: number },
  limits: GateLimits,
  facts: GateFacts,
): GateRefusal | null {
  const refuse = (code: GateRefusal['code'], message: string): GateRefusal => ({ code, message });
  if (facts.state === 'halted') return refuse('halted', 'Trading is halted on this connection');
  const reduces = order.side === 'sell' && decimal(order.amount).lte(facts.owned);
  if (facts.state === 'reducing' && !reduces) {
    return refuse('only_reducing', 'Only orders that sell what you own are taken at the moment');
  }
  if (limits.symbols && !limits.symbols.includes(order.symbol)) {
    return refuse('symbol_not_allowed', `${order.symbol} is not among the markets you allow`);
  }
  if (facts.ordersInLastMinute >= limits.ordersPerMinute) {
    return refuse('too_many_orders', `More than ${limits.ordersPerMinute} orders in a minute`);
  }
  if (now - ticker.at > staleAfterMs || decimal(ticker.last).lte(0)) {
    return refuse('stale_price', `There is no current price of ${order.symbol}`);
  }
  const price = reckonedPrice(order, ticker.last);
  const distance = decimal(price).div(ticker.last).minus(1).abs().times(100);
  if (distance.gt(limits.collarPercent)) {
    return refuse(
      'too_far_from_price',
      `The price is ${distance.toFixed(1)} % from the market; your limit is ${limits.collarPercent} %`,
    );
  }
  const value = decimal(order.amount).times(price);
  const { quote } = market;
  if (limits.maxOrder && value.gt(limits.maxOrder)) {
    return refuse(
      'order_too_large',
      `An order of ${value.toFixed(2)} ${quote} is above your limit of ${limits.maxOrder}`,
    );
  }
  if (limits.maxDay && value.plus(facts.tradedToday).gt(limits.maxDay)) {
    return refuse('day_limit', `With this order you would trade more than ${limits.maxDay} ${quote} today`);
  }
  // What is left can still be sold: a limit on losses must not lock a position in.
  if (limits.maxDailyLoss && decimal(facts.lostToday).gte(limits.maxDailyLoss) && !reduces) {
    return refuse('daily_loss', `You lost ${facts.lostToday} ${quote} today; your limit is ${limits.maxDailyLoss}`);
  }
  return null;
}
