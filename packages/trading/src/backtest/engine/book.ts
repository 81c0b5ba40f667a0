import { aggregate } from '../../candles.ts';
import { type Interval, intervalMs } from '../../port.ts';
import type { BacktestMarket } from '../job.ts';
import { type Columns, rowAt } from './columns.ts';
import { Frame, type IndicatorCache } from './frame.ts';
import { LongerBars } from './growing-columns.ts';
import type { Lot, Order } from './order.ts';

/** Cut to multiples of a step such as 0.001 without the dust that multiplying by it leaves. */
class Steps {
  readonly #step: number;
  /** Of a step below one: how many make one. */
  readonly #perOne: number;
  constructor(step: number) {
    this.#step = step;
    const perOne = Math.round(1 / step);
    this.#perOne = step > 0 && step < 1 && Math.abs(perOne * step - 1) < 1e-9 ? perOne : 0;
  }
  floor(value: number): number {
    if (this.#step === 0) return value;
    if (this.#perOne > 0) return Math.floor(value * this.#perOne + 1e-6) / this.#perOne;
    return Math.floor(value / this.#step + 1e-6) * this.#step;
  }
  round(value: number): number {
    if (this.#step === 0) return value;
    if (this.#perOne > 0) return Math.round(value * this.#perOne) / this.#perOne;
    return Math.round(value / this.#step) * this.#step;
  }
}

/** One market of a run: its bars, what is held, and what waits. */
export class Book {
  readonly index: number;
  readonly market: BacktestMarket;
  readonly frame: Frame;
  readonly amounts: Steps;
  readonly prices: Steps;
  readonly longer: { frame: Frame; length: number; bars: LongerBars | null }[] = [];
  readonly #cache: IndicatorCache;

  position = 0;
  /** Oldest first. */
  readonly lots: Lot[] = [];
  readonly resting: Order[] = [];
  readonly atMarket: Order[] = [];
  /** A bar that goes down to the one or up to the other has something to fill. */
  lowTrigger = Number.NEGATIVE_INFINITY;
  highTrigger = Number.POSITIVE_INFINITY;
  nextExpiry = Number.POSITIVE_INFINITY;
  /** Whether there is such a price or time at all. */
  isWatched = false;

  constructor(index: number, market: BacktestMarket, interval: Interval, cache: IndicatorCache, room = 0) {
    this.index = index;
    this.market = market;
    this.frame = new Frame(interval, market.columns, cache, `${index} ${interval}`, room);
    this.amounts = new Steps(market.rules.amountStep);
    this.prices = new Steps(market.rules.priceTick);
    this.#cache = cache;
  }

  get entryPrice(): number {
    let [cost, amount] = [0, 0];
    for (const lot of this.lots) {
      cost += lot.amount * lot.price;
      amount += lot.amount;
    }
    return amount === 0 ? 0 : cost / amount;
  }

  longerFrame(interval: Interval): Frame {
    const length = intervalMs[interval];
    if (!length) throw new Error(`There is no time frame ${String(interval)}`);
    if (length < intervalMs[this.frame.interval]) {
      throw new Error(`${interval} is shorter than the bars of this run (${this.frame.interval})`);
    }
    const known = this.longer.find((each) => each.frame.interval === interval);
    if (known) return known.frame;
    const { room } = this.frame;
    const bars = room ? this.#wholeBars(interval) : null;
    const columns = bars?.columns ?? aggregate(this.frame.columns, interval);
    const frame = new Frame(interval, columns, this.#cache, `${this.index} ${interval}`, room);
    this.longer.push({ frame, length, bars });
    return frame;
  }
  #wholeBars(interval: Interval): LongerBars {
    const bars = new LongerBars(interval);
    const { columns, interval: own } = this.frame;
    for (const [row, time] of columns.time.entries()) {
      bars.close(time);
      bars.add(columns, row);
      bars.close(time + intervalMs[own]);
    }
    return bars;
  }

  /** Perhaps one more bar, at a step that opens at `time`. */
  grow(columns: Columns, time: number): void {
    const hasMore = columns.time.length > this.frame.columns.time.length;
    if (hasMore) this.frame.grow(columns);
    for (const { frame, bars } of this.longer) {
      if (bars?.close(time)) frame.grow(bars.columns);
      if (hasMore) bars?.add(columns, columns.time.length - 1);
      if (bars?.close(time + intervalMs[this.frame.interval])) frame.grow(bars.columns);
    }
  }

  /** A longer bar is seen when its time is over, also where its last bars are missing. */
  showLonger(now: number): void {
    for (const { frame, length } of this.longer) {
      const { time } = frame.columns;
      let row = frame.row;
      if (row < 0) row = rowAt(time, now - length + 1) - 1;
      else while (row + 1 < time.length && (time[row + 1] as number) + length <= now) row++;
      frame.isFresh = row !== frame.row && row >= 0 && (time[row] as number) + length === now;
      frame.row = row;
    }
  }

  /** After anything that waits has changed. */
  updateTriggers(): void {
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    let expiry = Number.POSITIVE_INFINITY;
    for (const lot of this.lots) {
      if (lot.stop > low) low = lot.stop;
      if (lot.takeProfit < high) high = lot.takeProfit;
    }
    for (const order of this.resting) {
      const price = order.isWaitingForTrigger ? order.trigger : order.limit;
      if (order.isDown) {
        if (price > low) low = price;
      } else if (price < high) high = price;
      if (order.expiresAt < expiry) expiry = order.expiresAt;
    }
    this.lowTrigger = low;
    this.highTrigger = high;
    this.nextExpiry = expiry;
    this.isWatched = low > 0 || high < Number.POSITIVE_INFINITY || expiry < Number.POSITIVE_INFINITY;
  }
}
