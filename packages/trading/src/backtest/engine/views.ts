import type { Interval } from '../../port.ts';
import type { Book } from './book.ts';
import type { Columns } from './columns.ts';
import { type Compute, type Frame, notPast, valuesOf } from './frame.ts';
import * as indicators from './indicators.ts';
import type { Bands, Bars, Macd, Market, OrderOptions, Series, Source, StrategyContext } from './strategy.ts';

/** Of a run: what strategies ask for. */
export interface Driver {
  readonly step: number;
  readonly now: number;
  readonly cash: number;
  equityNow(): number;
  order(book: Book, isBuy: boolean, options: OrderOptions): number;
  cancel(book: Book, order?: number): void;
  protect(book: Book, exits: { stop?: number | null; takeProfit?: number | null }): void;
  weights(shares: Readonly<Record<string, number>>, drift: number, reason: string): void;
  random(): number;
  log(text: string): void;
}

/** What strategies get to hold. All else of a run stays out of their reach. */

const wholeLength = (length: unknown, name: string): number => {
  if (typeof length === 'number' && Number.isInteger(length) && length >= 1 && length <= 1_000_000) return length;
  throw new Error(`${name}: the length must be a whole number from 1, not ${String(length)}`);
};

class FrameView implements Bars {
  readonly #frame: Frame;
  constructor(frame: Frame) {
    this.#frame = frame;
  }
  get interval(): Interval {
    return this.#frame.interval;
  }
  get count(): number {
    return this.#frame.row + 1;
  }
  get isFresh(): boolean {
    return this.#frame.isFresh;
  }
  #read(values: Float64Array, bars: number): number {
    if (!(bars >= 0) || !Number.isInteger(bars)) throw notPast(bars);
    const row = this.#frame.row - bars;
    return row < 0 ? Number.NaN : (values[row] as number);
  }
  time(bars = 0): number {
    return this.#read(this.#frame.columns.time, bars);
  }
  open(bars = 0): number {
    return this.#read(this.#frame.columns.open, bars);
  }
  high(bars = 0): number {
    return this.#read(this.#frame.columns.high, bars);
  }
  low(bars = 0): number {
    return this.#read(this.#frame.columns.low, bars);
  }
  close(bars = 0): number {
    return this.#read(this.#frame.columns.close, bars);
  }
  volume(bars = 0): number {
    return this.#read(this.#frame.columns.volume, bars);
  }

  sma(length: number, of?: Source): Series {
    const n = wholeLength(length, 'sma');
    const mean: Compute = (values, phase) => indicators.sma(values, n, phase(n));
    return this.#frame.line(`sma ${n}`, 'close', of, mean, indicators.nextWithin(n, mean));
  }
  ema(length: number, of?: Source): Series {
    const n = wholeLength(length, 'ema');
    return this.#frame.line(`ema ${n}`, 'close', of, (values) => indicators.ema(values, n), indicators.nextEma(n));
  }
  rsi(length: number, of?: Source): Series {
    const n = wholeLength(length, 'rsi');
    return this.#frame.line(`rsi ${n}`, 'close', of, (values) => indicators.rsi(values, n), indicators.nextRsi(n));
  }
  atr(length: number): Series {
    const n = wholeLength(length, 'atr');
    const columns = () => this.#frame.columns;
    return this.#frame.line(
      ...([`atr ${n}`, null, undefined, () => indicators.atr(columns(), n), indicators.nextAtr(n, columns)] as const),
    );
  }
  standardDeviation(length: number, of?: Source): Series {
    const n = wholeLength(length, 'standardDeviation');
    const deviation: Compute = (values, phase) => indicators.standardDeviation(values, n, phase(n));
    return this.#frame.line(`deviation ${n}`, 'close', of, deviation, indicators.nextWithin(n, deviation));
  }
  bollinger(length: number, deviations: number, of?: Source): Bands {
    if (!Number.isFinite(deviations)) throw new Error('bollinger: the deviations must be a number');
    const middle = this.sma(length, of);
    const deviation = this.standardDeviation(length, of);
    const band = (name: string, weight: number) =>
      this.#combined(`bollinger ${length} ${name} ${deviations}`, of, [middle, deviation], weight);
    return { upper: band('upper', deviations), middle, lower: band('lower', -deviations) };
  }
  donchian(length: number): Bands {
    const upper = this.highest(length, 'high');
    const lower = this.lowest(length, 'low');
    const middle = this.#frame.line(
      `donchian ${length} middle`,
      null,
      undefined,
      () => indicators.combine(valuesOf(upper), valuesOf(lower), 1).map((sum) => sum / 2),
      indicators.nextCombined(
        () => valuesOf(upper),
        () => valuesOf(lower),
        ...([1, 2] as const),
      ),
    );
    return { upper, middle, lower };
  }
  macd(fast: number, slow: number, signal: number, of?: Source): Macd {
    const [fastLine, slowLine] = [this.ema(fast, of), this.ema(slow, of)];
    const n = wholeLength(signal, 'macd');
    const name = `macd ${fast} ${slow}`;
    const line = this.#combined(name, of, [fastLine, slowLine], -1);
    const next = indicators.nextEma(n);
    const signalLine = this.#frame.line(
      `${name} signal ${n}`,
      'close',
      of,
      () => indicators.ema(valuesOf(line), n),
      (row, _values, before, phase) => next(row, valuesOf(line), before, phase),
    );
    const histogram = this.#combined(`${name} histogram ${n}`, of, [line, signalLine], -1);
    return { line, signal: signalLine, histogram };
  }
  highest(length: number, of?: Source): Series {
    const n = wholeLength(length, 'highest');
    const highest: Compute = (values) => indicators.highest(values, n);
    return this.#frame.line(`highest ${n}`, 'high', of, highest, indicators.nextWithin(n, highest));
  }
  lowest(length: number, of?: Source): Series {
    const n = wholeLength(length, 'lowest');
    const lowest: Compute = (values) => indicators.lowest(values, n);
    return this.#frame.line(`lowest ${n}`, 'low', of, lowest, indicators.nextWithin(n, lowest));
  }
  momentum(length: number, of?: Source): Series {
    const n = wholeLength(length, 'momentum');
    const momentum: Compute = (values) => indicators.momentum(values, n);
    return this.#frame.line(`momentum ${n}`, 'close', of, momentum, indicators.nextWithin(n + 1, momentum));
  }
  /** The one and so much of the other. */
  #combined(name: string, of: Source | undefined, [a, b]: [Series, Series], weight: number): Series {
    return this.#frame.line(
      name,
      'close',
      of,
      () => indicators.combine(valuesOf(a), valuesOf(b), weight),
      indicators.nextCombined(
        () => valuesOf(a),
        () => valuesOf(b),
        weight,
      ),
    );
  }
  column(name: string, compute: (columns: Columns) => ArrayLike<number>): Series {
    if (typeof name !== 'string' || typeof compute !== 'function') {
      throw new Error('column takes a name and a function: column("mine", (columns) => values)');
    }
    const make = () => {
      // A copy: what the strategy could write into must not be what it is judged by.
      const { time, open, high, low, close, volume } = this.#frame.columns;
      const values = compute({
        ...{ time: time.slice(), open: open.slice(), high: high.slice() },
        ...{ low: low.slice(), close: close.slice(), volume: volume.slice() },
      });
      if (values === null || typeof values !== 'object' || values.length !== time.length) {
        throw new Error(`column ${name}: has ${values?.length ?? 'no'} values, there are ${time.length} bars`);
      }
      return Float64Array.from(values);
    };
    return this.#frame.add(name, make, null);
  }
}

export class MarketView extends FrameView implements Market {
  readonly #book: Book;
  readonly #driver: Driver;
  readonly #longer = new Map<Interval, FrameView>();
  constructor(book: Book, driver: Driver) {
    super(book.frame);
    this.#book = book;
    this.#driver = driver;
  }
  get symbol(): string {
    return this.#book.market.symbol;
  }
  get base(): string {
    return this.#book.market.base;
  }
  get quote(): string {
    return this.#book.market.quote;
  }
  get position(): number {
    return this.#book.position;
  }
  get entryPrice(): number {
    return this.#book.entryPrice;
  }
  get barsHeld(): number {
    const [oldest] = this.#book.lots;
    return oldest ? this.#driver.step - oldest.step : -1;
  }
  get openOrders(): number {
    return this.#book.resting.length + this.#book.atMarket.length;
  }
  timeframe(interval: Interval): Bars {
    if (interval === this.interval) return this;
    let view = this.#longer.get(interval);
    if (!view) {
      view = new FrameView(this.#book.longerFrame(interval));
      if (this.#driver.step >= 0) this.#book.showLonger(this.#driver.now);
      this.#longer.set(interval, view);
    }
    return view;
  }
  buy(options: OrderOptions = {}): number {
    return this.#driver.order(this.#book, true, options);
  }
  sell(options: OrderOptions = {}): number {
    return this.#driver.order(this.#book, false, options);
  }
  closePosition(reason = ''): number {
    this.#driver.cancel(this.#book);
    return this.#book.position > 0 ? this.#driver.order(this.#book, false, { percent: 100, reason }) : 0;
  }
  cancel(order?: number): void {
    this.#driver.cancel(this.#book, order);
  }
  protect(exits: { stop?: number | null; takeProfit?: number | null }): void {
    this.#driver.protect(this.#book, exits);
  }
}

export class ContextView implements StrategyContext {
  readonly #driver: Driver;
  readonly market: Market;
  readonly markets: readonly Market[];
  readonly state: Record<string, unknown>;
  constructor(driver: Driver, markets: readonly Market[], state: Record<string, unknown>) {
    this.#driver = driver;
    this.market = markets[0] as Market;
    this.markets = Object.freeze([...markets]);
    this.state = state;
  }
  get now(): number {
    return this.#driver.now;
  }
  get equity(): number {
    return this.#driver.equityNow();
  }
  get cash(): number {
    return this.#driver.cash;
  }
  // Functions of their own, so that they can be taken out of the context: `start({ market, log, random })`.
  readonly weights: StrategyContext['weights'] = (shares, options = {}) =>
    this.#driver.weights(shares, options.drift ?? 0, options.reason ?? '');
  readonly random = (): number => this.#driver.random();
  readonly log = (text: string): void => this.#driver.log(text);
}
