import type { Interval, Side } from '../../port.ts';
import type { Parameters, ValuesOf } from '../code/parameters.ts';
import type { Columns } from './columns.ts';

/** What strategies are written against. The same object is driven by history and by live bars. */

/** A line of values, one for each bar. Only the present and the past can be read; NaN where there is none yet. */
export interface Series {
  readonly name: string;
  readonly value: number;
  /** The value some bars ago: 0 is the present one. */
  ago(bars: number): number;
  crossesAbove(other: Series | number): boolean;
  crossesBelow(other: Series | number): boolean;
}
export interface Bands {
  readonly upper: Series;
  readonly middle: Series;
  readonly lower: Series;
}
export interface Macd {
  readonly line: Series;
  readonly signal: Series;
  readonly histogram: Series;
}

/** Bars of one market in one time frame, up to the last closed one. */
export interface Bars {
  readonly interval: Interval;
  /** How many bars there are up to now. */
  readonly count: number;
  /** Whether a bar closed at this time: of a longer time frame it does so seldom, and a market may have gaps. */
  readonly isFresh: boolean;
  /** When the bar opened, in ms. */
  time(barsAgo?: number): number;
  open(barsAgo?: number): number;
  high(barsAgo?: number): number;
  low(barsAgo?: number): number;
  close(barsAgo?: number): number;
  volume(barsAgo?: number): number;

  sma(length: number, of?: Source): Series;
  ema(length: number, of?: Source): Series;
  rsi(length: number, of?: Source): Series;
  /** Of Wilder. */
  atr(length: number): Series;
  standardDeviation(length: number, of?: Source): Series;
  bollinger(length: number, deviations: number, of?: Source): Bands;
  /** The highest high and lowest low of so many bars, the present one included. */
  donchian(length: number): Bands;
  macd(fast: number, slow: number, signal: number, of?: Source): Macd;
  highest(length: number, of?: Source): Series;
  lowest(length: number, of?: Source): Series;
  /** The change over so many bars, as a share. */
  momentum(length: number, of?: Source): Series;
  /** An indicator of one's own over the whole frame; must not look ahead, which is tested with every backtest. */
  column(name: string, compute: (columns: Columns) => ArrayLike<number>): Series;
}
export type Source = 'open' | 'high' | 'low' | 'close' | 'volume' | Series;

export interface OrderOptions {
  /** How much, in one of three ways: of the base, */
  amount?: number;
  /** of the quote, fees included (buying) or before fees (selling), */
  quote?: number;
  /** or in percent: of the equity (buying), of what is held (selling). Without any: 100 percent. */
  percent?: number;
  /** Not worse than this price. */
  limit?: number;
  /** Waits until this price is reached; then it is a market order, or a limit order where `limit` is given. */
  trigger?: number;
  /** Of a purchase: sells what was bought when the price falls to this. */
  stop?: number;
  /** Of a purchase: sells what was bought when the price rises to this. */
  takeProfit?: number;
  /** Canceled after so many bars. */
  goodForBars?: number;
  reason?: string;
}

export interface Market extends Bars {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Held of the base. */
  readonly position: number;
  /** What is held cost on average, fees not included; 0 without a position. */
  readonly entryPrice: number;
  /** Bars since the oldest of what is held was bought; -1 without a position. */
  readonly barsHeld: number;
  readonly openOrders: number;
  /** Closed bars of a longer time frame. */
  timeframe(interval: Interval): Bars;
  /** The number of the order, or 0 where it was rejected. */
  buy(options?: OrderOptions): number;
  sell(options?: OrderOptions): number;
  /** Sells all that is held, and cancels what waits. */
  closePosition(reason?: string): number;
  /** One order, or all of this market. */
  cancel(order?: number): void;
  /** Moves the stop and take-profit of all that is held; null takes it away. */
  protect(exits: { stop?: number | null; takeProfit?: number | null }): void;
}

export interface StrategyContext {
  /** The first market. */
  readonly market: Market;
  readonly markets: readonly Market[];
  /** When the present bar closed, in ms: the only clock there is. */
  readonly now: number;
  /** Cash and what is held, at the last close. */
  readonly equity: number;
  readonly cash: number;
  /**
   * Shares of the equity by base or symbol, at most 1 together; markets not named go to zero. Orders are made for the
   * difference where it is at least `drift` of the equity.
   */
  weights(shares: Readonly<Record<string, number>>, options?: { drift?: number; reason?: string }): void;
  /** From 0 to below 1, the same for the same seed. */
  random(): number;
  log(text: string): void;
  /** Whatever has to survive a restart of a live run: plain data. */
  readonly state: Record<string, unknown>;
}

export interface FillNote {
  readonly market: Market;
  readonly order: number;
  readonly side: Side;
  readonly amount: number;
  readonly price: number;
  readonly fee: number;
}
export interface Handlers {
  /** After each bar of the shortest time frame, for all markets together. Orders are filled from the next bar on. */
  onBar(): void;
  onFill?(fill: FillNote): void;
}

export interface StrategyDefinition<P extends Parameters = Parameters> {
  parameters?: P;
  /** How many markets it wants; one when not said. */
  markets?: { min: number; max: number };
  /** Longer time frames it reads. */
  timeframes?: readonly Interval[];
  /** Bars before the first decision. */
  warmUp?: number | ((parameters: ValuesOf<P>) => number);
  start(context: StrategyContext, parameters: ValuesOf<P>): Handlers;
}

/** @public Marks and types a definition; `export default strategy({ … })`. */
export const strategy = <const P extends Parameters = Record<never, never>>(
  definition: StrategyDefinition<P>,
): StrategyDefinition<P> => definition;
