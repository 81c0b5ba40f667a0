import { emptyCandles, sliceCandles } from '../../candles.ts';
import type { LiveBar } from '../live/live-types.ts';
import type { Columns } from './columns.ts';

const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Columns with room for more rows. */
export class GrowingColumns {
  #room: Columns;
  #count: number;
  constructor(columns: Columns) {
    this.#room = columns;
    this.#count = columns.time.length;
  }
  get columns(): Columns {
    return sliceCandles(this.#room, 0, this.#count);
  }
  add(bar: LiveBar): void {
    if (this.#count === this.#room.time.length) {
      const larger = emptyCandles(Math.max(this.#count * 2, 64));
      for (const name of columnNames) larger[name].set(this.#room[name]);
      this.#room = larger;
    }
    for (const name of columnNames) this.#room[name][this.#count] = bar[name];
    this.#count++;
  }
}
