import { sliceCandles } from '../../candles.ts';
import { callWidth, longestReason, mostCallReasons } from '../engine/calls.ts';
import type { Columns } from '../engine/columns.ts';
import { rowAt } from '../engine/columns.ts';
import type { Simulation } from '../engine/simulation.ts';
import type { Handlers } from '../engine/strategy.ts';
import { bytesOf, doublesOf, type Frame, listOf } from '../hosts/frames.ts';
import { type Host, noBytes } from '../hosts/host.ts';
import { carryOut, checkCalls, isCount, notDecisions, readLogs, readTexts } from './carry-out.ts';
import type { FollowOrder, StepAnswer } from './host-protocol.ts';
import { StrategyError } from './load.ts';
import { readProblem } from './read-answer.ts';

/**
 * One pass of a strategy whose process gets each bar when it has closed, and the next one when it has answered: what comes
 * is nowhere in it. What it answers is carried out here.
 */
export class Follow implements Handlers {
  readonly #host: Host;
  readonly #simulation: Simulation;
  readonly #reasons: string[] = [];
  /** Rows of each market's bars and finer bars that are there. */
  readonly #given: { columns: Columns; rows: number; isFiner: boolean }[][];

  constructor(host: Host, code: string, simulation: Simulation) {
    this.#host = host;
    this.#simulation = simulation;
    const { setup, books, times, first } = simulation;
    const { interval, capital, fees, slippage, seed, parameters, from, warmUp, deposits } = setup;
    const order: FollowOrder = {
      ...{ do: 'follow', code, steps: times.length },
      settings: {
        interval,
        capital,
        fees,
        slippage,
        seed,
        parameters,
        from,
        warmUp,
        ...(deposits ? { deposits } : {}),
      },
      markets: books.map(({ market: { symbol, base, quote, rules, finer } }) => ({
        ...{ symbol, base, quote, rules, finer: finer?.interval ?? null },
      })),
    };
    const begin = times[first] ?? Number.POSITIVE_INFINITY;
    this.#given = books.map(({ market: { columns, finer } }) =>
      [columns, ...(finer ? [finer.columns] : [])].map((each, index) => ({
        ...{ columns: each, rows: rowAt(each.time, begin), isFiner: index > 0 },
      })),
    );
    this.#host.exchange(order);
    for (const [market, all] of this.#given.entries()) {
      for (const { columns, rows, isFiner } of all) {
        const history = bytesOf(listOf(sliceCandles(columns, 0, rows)));
        this.#host.exchange({ do: 'history', market, isFiner }, history);
      }
    }
    this.#read(this.#host.exchange({ do: 'start' }));
  }

  onBar(): void {
    this.#read(this.#host.exchange({ do: 'step' }, this.#bars()));
  }

  /** The time of the step, and of each market how many bars and finer bars there are more, and these. */
  #bars(): Uint8Array {
    const { step, times, length } = this.#simulation;
    const time = times[step] as number;
    const numbers = [time];
    for (const all of this.#given) {
      for (const given of all) {
        const { columns, isFiner } = given;
        const until = isFiner ? time + length : time + 1;
        let rows = given.rows;
        while (rows < columns.time.length && (columns.time[rows] as number) < until) rows++;
        numbers.push(rows - given.rows);
        const { open, high, low, close, volume } = columns;
        for (let row = given.rows; row < rows; row++) {
          numbers.push(columns.time[row] as number, open[row] as number, high[row] as number);
          numbers.push(low[row] as number, close[row] as number, volume[row] as number);
        }
        given.rows = rows;
      }
    }
    return new Uint8Array(Float64Array.from(numbers).buffer);
  }

  #read({ message, payload }: Frame): void {
    const answer = message as Partial<StepAnswer>;
    const simulation = this.#simulation;
    const calls = payload.length === 0 ? noCalls : doublesOf(payload);
    if (!isCount(answer.calls, calls.length / callWidth) || calls.length !== answer.calls * callWidth)
      throw notDecisions();
    checkCalls(simulation, calls, simulation.step, simulation.step + 1);
    const left = Math.max(mostCallReasons - this.#reasons.length, 0);
    this.#reasons.push(...readTexts(answer.reasons, left, longestReason));
    readLogs(simulation, answer);
    for (let row = 0; row < answer.calls; ) row = carryOut(simulation, calls, row, this.#reasons);
    if (answer.problem) throw new StrategyError(readProblem(answer.problem));
  }
}

const noCalls = new Float64Array(noBytes.buffer);
