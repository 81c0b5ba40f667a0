import { Table } from './table.ts';

/** How many bars are summed up before their sum is added to the whole. */
const chunk = 131_072;

/** Of a run with one market: cash and position from a step on. What each bar was worth follows, and only where it is asked. */
export class Balances {
  readonly #rows = new Table(3);
  /** Up to where the values are written, and the row that is in force there. */
  #end = 0;
  #row = 0;
  /** Sum of the shares of the equity that were invested, and bars with a position. */
  investedSum = 0;
  investedBars = 0;

  constructor(cash: number) {
    this.add(0, cash, 0);
  }
  add(step: number, cash: number, position: number): void {
    const at = this.#rows.add();
    const { data } = this.#rows;
    data[at] = step;
    data[at + 1] = cash;
    data[at + 2] = position;
  }

  /** What it was worth at the close of a step. */
  valueAt(step: number, close: Float64Array): number {
    let [from, to] = [0, this.#rows.count];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if (this.#rows.get(middle, 0) <= step) from = middle;
      else to = middle;
    }
    const cash = this.#rows.get(from, 1);
    const held = this.#rows.get(from, 2);
    return held === 0 ? cash : cash + held * (close[step] as number);
  }

  /** Writes what is missing up to a step. */
  write(equity: Float64Array, close: Float64Array, end: number): void {
    while (this.#end < end) this.#write(equity, close, Math.min(this.#end + chunk, end));
  }
  #write(equity: Float64Array, close: Float64Array, end: number): void {
    const rows = this.#rows;
    let [invested, bars] = [0, 0];
    for (let step = this.#end; step < end; ) {
      while (this.#row + 1 < rows.count && rows.get(this.#row + 1, 0) <= step) this.#row++;
      const until = this.#row + 1 < rows.count ? Math.min(rows.get(this.#row + 1, 0), end) : end;
      const cash = rows.get(this.#row, 1);
      const held = rows.get(this.#row, 2);
      if (held === 0) equity.fill(cash, step, until);
      else {
        bars += until - step;
        for (let row = step; row < until; row++) {
          const value = held * (close[row] as number);
          const now = cash + value;
          equity[row] = now;
          invested += value / now;
        }
      }
      step = until;
    }
    this.investedSum += invested;
    this.investedBars += bars;
    this.#end = end;
  }
}
