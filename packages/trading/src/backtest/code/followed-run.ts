import { emptyCandles, sliceCandles } from '../../candles.ts';
import type { Columns } from '../engine/columns.ts';
import type { Recorder } from '../engine/recorder.ts';
import { bytesOf, doublesOf, type Frame, listOf } from '../hosts/frames.ts';
import { noBytes } from '../hosts/host.ts';
import type { FollowOrder, StepAnswer } from './host-protocol.ts';
import type { LoadedStrategy } from './load.ts';
import { problemOf } from './prepare.ts';

/** Bars as they come. */
class Arriving {
  #room: Columns = emptyCandles(64);
  #count = 0;
  get columns(): Columns {
    return sliceCandles(this.#room, 0, this.#count);
  }
  add(columns: readonly Float64Array[]): void {
    const more = columns[0]?.length ?? 0;
    if (this.#count + more > this.#room.time.length) {
      const larger = emptyCandles(2 * (this.#count + more));
      for (const [index, column] of listOf(larger).entries()) column.set(listOf(this.#room)[index] as Float64Array);
      this.#room = larger;
    }
    for (const [index, column] of listOf(this.#room).entries()) column.set(columns[index] as Float64Array, this.#count);
    this.#count += more;
  }
}

/** One pass in the process of the strategy, over bars that come one by one. */
export class FollowedRun {
  readonly #order: FollowOrder;
  readonly #loaded: LoadedStrategy;
  readonly #bars: Arriving[];
  readonly #finer: (Arriving | null)[];
  readonly #markets: { finer?: { columns: Columns } }[] = [];
  readonly #guard: <Result>(work: () => Result) => Result;
  readonly #times: Float64Array;
  #run: Recorder | null = null;
  #steps = 0;
  #logged = 0;
  #dropped = 0;
  #reasons = 0;

  constructor(loaded: LoadedStrategy, order: FollowOrder, guard: <Result>(work: () => Result) => Result) {
    this.#order = order;
    this.#loaded = loaded;
    this.#guard = guard;
    this.#bars = order.markets.map(() => new Arriving());
    this.#finer = order.markets.map(({ finer }) => (finer ? new Arriving() : null));
    this.#times = new Float64Array(order.steps);
  }

  history({ market, isFiner }: Record<string, unknown>, payload: Uint8Array): void {
    const values = doublesOf(payload);
    const rows = values.length / 6;
    const columns = [0, 1, 2, 3, 4, 5].map((index) => values.subarray(index * rows, (index + 1) * rows));
    (isFiner ? this.#finer : this.#bars)[market as number]?.add(columns);
  }

  start(): Frame {
    const { realm, fresh } = this.#loaded;
    const { settings, markets, steps } = this.#order;
    for (const [index, { symbol, base, quote, rules, finer }] of markets.entries()) {
      const shorter = this.#finer[index];
      this.#markets.push({
        ...{ symbol, base, quote, rules, columns: realm.columnsOf((this.#bars[index] as Arriving).columns) },
        ...(finer && shorter ? { finer: { interval: finer, columns: realm.columnsOf(shorter.columns) } } : {}),
      } as { finer?: { columns: Columns } });
    }
    return this.#answer(() => {
      this.#run = new realm.engine.Recorder({
        ...settings,
        load: fresh,
        state: realm.copy({}),
        markets: this.#markets as never,
        cache: new realm.engine.IndicatorCache(),
        equity: new Float64Array(steps),
        room: steps,
        recordFrom: Number.POSITIVE_INFINITY,
      });
      this.#times.set(this.#run.times);
      this.#steps = this.#run.times.length;
    });
  }

  step(payload: Uint8Array): Frame {
    const { realm } = this.#loaded;
    const numbers = doublesOf(payload);
    this.#times[this.#steps++] = numbers[0] as number;
    let at = 1;
    const take = (bars: Arriving): void => {
      for (let left = numbers[at++] as number; left > 0; left--, at += 6) {
        bars.add([0, 1, 2, 3, 4, 5].map((index) => numbers.subarray(at + index, at + index + 1)));
      }
    };
    for (const [index, bars] of this.#bars.entries()) {
      take(bars);
      const shorter = this.#finer[index];
      if (!shorter) continue;
      take(shorter);
      const { finer } = this.#markets[index] as { finer: { columns: Columns } };
      finer.columns = realm.columnsOf(shorter.columns);
    }
    const columns = this.#bars.map((bars) => realm.columnsOf(bars.columns));
    return this.#answer(() => this.#run?.grow(columns, this.#times.subarray(0, this.#steps)));
  }

  #answer(work: () => void): Frame {
    let problem: StepAnswer['problem'] = null;
    try {
      this.#guard(work);
    } catch (error) {
      ({ problem } = problemOf(error, null));
    }
    const run = this.#run;
    const answer: StepAnswer = { problem, calls: 0, reasons: [], logs: [], dropped: 0 };
    if (!run) return { message: answer as unknown as Frame['message'], payload: noBytes };
    const { calls, callReasons, logs, droppedLogs } = run;
    answer.calls = calls.count;
    answer.reasons = callReasons.slice(this.#reasons);
    answer.logs = logs.slice(this.#logged).map(({ step, text }) => [step, text]);
    answer.dropped = droppedLogs - this.#dropped;
    [this.#reasons, this.#logged, this.#dropped] = [callReasons.length, logs.length, droppedLogs];
    const payload = calls.count === 0 ? noBytes : bytesOf([calls.values]);
    calls.count = 0;
    return { message: answer as unknown as Frame['message'], payload };
  }
}
