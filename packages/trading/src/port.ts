/** What an exchange is to us. The demo, ccxt's exchanges and the test server's are all reached through this. */

export const sides = ['buy', 'sell'] as const;
export type Side = (typeof sides)[number];
export const orderTypes = ['market', 'limit', 'stop', 'stop_limit', 'take_profit'] as const;
export type OrderType = (typeof orderTypes)[number];
/** `formed` is written down here and not known to the exchange yet. */
export const orderStates = ['formed', 'open', 'closed', 'canceled', 'expired', 'rejected'] as const;
export type OrderState = (typeof orderStates)[number];
export const isFinal = (state: OrderState): boolean => state !== 'formed' && state !== 'open';

/** Decimals are strings: an exchange counts in more digits than a double has. */
export interface Market {
  symbol: string;
  base: string;
  quote: string;
  amountStep: string;
  priceTick: string;
  minAmount: string;
  maxAmount: string | null;
  /** The least that amount times price may come to. */
  minNotional: string;
  makerFee: string;
  takerFee: string;
  isActive: boolean;
}

export interface Ticker {
  symbol: string;
  last: string;
  bid: string | null;
  ask: string | null;
  /** Over 24 hours, in percent; null where the exchange says nothing. */
  change: number | null;
  /** Over 24 hours, in the quote. */
  volume: string | null;
  at: number;
}

export const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type Interval = (typeof intervals)[number];
export const intervalMs: Record<Interval, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** Columns, sorted by the time at which each candle opens. Doubles: they are looked at and simulated with, never booked. */
export interface Candles {
  time: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

export interface Level {
  price: string;
  amount: string;
}
export interface Book {
  bids: Level[];
  asks: Level[];
  at: number;
}

export interface OrderRequest {
  /** Ours, made before anything is sent; by it an order is asked for when an answer was lost. */
  clientId: string;
  symbol: string;
  side: Side;
  type: OrderType;
  amount: string;
  /** Of limit and stop_limit. */
  price: string | null;
  /** Of stop, stop_limit and take_profit. */
  stopPrice: string | null;
}

export interface Fill {
  /** The exchange's own, unique in a market: the same fill can be told twice. */
  id: string;
  amount: string;
  price: string;
  fee: string;
  feeAsset: string;
  at: number;
}

/** What the exchange says about an order at some moment. */
export interface OrderReport extends OrderRequest {
  exchangeId: string;
  state: Exclude<OrderState, 'formed'>;
  filled: string;
  fills: Fill[];
  reason: string | null;
  at: number;
}

export interface Balance {
  asset: string;
  free: string;
  /** Held by open orders. */
  used: string;
}

export interface KeyRights {
  canRead: boolean;
  canTrade: boolean;
  canWithdraw: boolean;
  canTransfer: boolean;
  /** Null where the exchange does not say. */
  isIpRestricted: boolean | null;
}

export interface MarketData {
  markets(): Promise<Market[]>;
  tickers(): Promise<Ticker[]>;
  /** The newest `limit` before `to`; the last one may still be forming. */
  candles(symbol: string, interval: Interval, to: number, limit: number): Promise<Candles>;
  book(symbol: string, depth: number): Promise<Book>;
}

export interface ExchangeAccount {
  rights(): Promise<KeyRights>;
  balances(): Promise<Balance[]>;
  place(request: OrderRequest): Promise<OrderReport>;
  /** Null: the exchange does not know it (yet). */
  find(clientId: string, symbol: string): Promise<OrderReport | null>;
  openOrders(): Promise<OrderReport[]>;
  /** Client ids of what was placed in this market since then, by whatever program, and filled at least in part. */
  filledSince(symbol: string, since: number): Promise<string[]>;
  /** Canceling what is done already answers what it came to. */
  cancel(clientId: string, symbol: string): Promise<OrderReport>;
}

/** Said no, for good: nothing happened. */
export class ExchangeRefusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ExchangeRefusal';
    this.code = code;
  }
}
/** May have happened or not: ask, never send again. */
export class ExchangeUnclear extends Error {
  override name = 'ExchangeUnclear';
}
/** Did not happen; wants to be left alone until then. */
export class ExchangeBusy extends Error {
  override name = 'ExchangeBusy';
  readonly until: number;
  constructor(until: number, message: string) {
    super(message);
    this.until = until;
  }
}
/** The key is wrong, was withdrawn or lacks a right. */
export class ExchangeKeyRefusal extends Error {
  override name = 'ExchangeKeyRefusal';
}
