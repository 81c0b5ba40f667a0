import { emptyCandles, sliceCandles } from '../../candles.ts';
import { type Interval, intervalMs } from '../../port.ts';
import type { Columns } from './columns.ts';

type Bar = Record<(typeof columnNames)[number], number>;

const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Columns with room for more rows. */
export class GrowingColumns {
  #room: Columns;
  #count: number;
  constructor(columns: Columns = emptyCandles(0)) {
    this.#room = columns;
    this.#count = columns.time.length;
  }
  get columns(): Columns {
    return sliceCandles(this.#room, 0, this.#count);
  }
  add(bar: Bar): void {
    if (this.#count === this.#room.time.length) {
      const larger = emptyCandles(Math.max(this.#count * 2, 64));
      for (const name of columnNames) larger[name].set(this.#room[name]);
      this.#room = larger;
    }
    for (const name of columnNames) this.#room[name][this.#count] = bar[name];
    this.#count++;
  }
}

/** Longer bars, each from when its time is over on. */
export class LongerBars {
  readonly #whole = new GrowingColumns();
  readonly #length: number;
  #open: Bar | null = null;

  constructor(interval: Interval) {
    this.#length = intervalMs[interval];
  }
  get columns(): Columns {
    return this.#whole.columns;
  }
  /** One more of the shorter bars. */
  add(columns: Columns, row: number): void {
    const [time, high, low] = [columns.time, columns.high, columns.low].map((each) => each[row] as number) as [
      number,
      number,
      number,
    ];
    const [close, volume] = [columns.close[row] as number, columns.volume[row] as number];
    const open = this.#open;
    if (!open) {
      const start = Math.floor(time / this.#length) * this.#length;
      this.#open = { time: start, open: columns.open[row] as number, high, low, close, volume };
      return;
    }
    open.high = Math.max(open.high, high);
    open.low = Math.min(open.low, low);
    open.close = close;
    open.volume += volume;
  }
  /** Whether one more is whole now. */
  close(now: number): boolean {
    if (!this.#open || this.#open.time + this.#length > now) return false;
    this.#whole.add(this.#open);
    this.#open = null;
    return true;
  }
}
