import { type Interval, intervalMs } from '../../port.ts';
import { callField, callWidth, longestReason, mostCallReasons } from '../engine/calls.ts';
import type { Simulation } from '../engine/simulation.ts';
import type { Handlers } from '../engine/strategy.ts';
import { doublesOf } from '../hosts/frames.ts';
import type { Host, KeptBars } from '../hosts/host.ts';
import { carryOut, checkCalls, isCount, notDecisions, readLogs, readTexts } from './carry-out.ts';
import type { RunAnswer, RunOrder, Seen } from './host-protocol.ts';
import { StrategyError } from './load.ts';
import { readProblem, textOf } from './read-answer.ts';

/**
 * One pass of a strategy that ran in another process: what it called there is carried out here, bar by bar, and fills, money
 * and figures are those of this engine. An answer that is not made of calls on these bars and markets is refused.
 */
export class Replay implements Handlers {
  readonly #simulation: Simulation;
  readonly #calls: Float64Array;
  readonly #reasons: string[];
  readonly #problem: StrategyError | null;
  readonly #problemStep: number;
  #row = 0;
  #next = Number.POSITIVE_INFINITY;
  /** What its author is shown of its last bar. */
  readonly seen: Seen | null;

  constructor(host: Host, code: string, simulation: Simulation, wants: RunOrder['wants'], end: number | null) {
    this.#simulation = simulation;
    const { setup, books, times } = simulation;
    const { interval, capital, fees, slippage, seed, parameters, from, warmUp } = setup;
    const bars = host.bars(
      books.flatMap(({ market: { columns, finer } }) => [columns, ...(finer ? [finer.columns] : [])]),
    );
    const nextBars = () => bars.shift() as KeptBars;
    const order: RunOrder = {
      ...{ do: 'run', code, wants, end, steps: times.length },
      settings: {
        ...{ interval, capital, fees, slippage, seed, parameters, from, warmUp },
        ...(setup.deposits ? { deposits: setup.deposits } : {}),
      },
      markets: books.map(({ market: { symbol, base, quote, rules, finer } }) => ({
        ...{ symbol, base, quote, rules, bars: nextBars() },
        finer: finer ? { interval: finer.interval, bars: nextBars() } : null,
      })),
    };
    const { message, payload } = host.exchange(order);
    const answer = message as unknown as Partial<RunAnswer>;
    const doubles = doublesOf(payload);
    const calls = isCount(answer.calls, doubles.length / callWidth) ? answer.calls : 0;
    this.#calls = doubles.subarray(0, calls * callWidth);
    this.#reasons = readTexts(answer.reasons, mostCallReasons, longestReason);
    this.#problem = answer.problem ? new StrategyError(readProblem(answer.problem)) : null;
    this.#problemStep = isCount(answer.step, times.length - 1) ? answer.step : -1;
    this.seen = wants === 'seen' ? readSeen(answer.seen, books.length) : null;
    if (this.#problem && this.#problemStep < simulation.first) throw this.#problem;
    if (this.#problem === null && (answer.calls !== calls || answer.step !== (end ?? times.length) - 1))
      throw notDecisions();
    checkCalls(simulation, this.#calls, simulation.first, end ?? times.length);
    readLogs(simulation, answer);
    if (wants === 'columns') this.#readColumns(answer, doubles.subarray(calls * callWidth));
    this.#advance();
  }

  onBar(): void {
    if (this.#simulation.step === this.#next) this.#carryOut();
  }

  /** The step of the next thing to do. */
  #advance(): void {
    const at = this.#row * callWidth;
    const step = at < this.#calls.length ? (this.#calls[at + callField.step] as number) : Number.POSITIVE_INFINITY;
    this.#next = this.#problem ? Math.min(step, this.#problemStep) : step;
  }

  #carryOut(): void {
    const simulation = this.#simulation;
    const { step } = simulation;
    const calls = this.#calls;
    while (this.#row * callWidth < calls.length && calls[this.#row * callWidth + callField.step] === step) {
      this.#row = carryOut(simulation, calls, this.#row, this.#reasons);
    }
    if (this.#problem && step === this.#problemStep) throw this.#problem;
    this.#advance();
  }

  /** Compared with those of other ends of the data, and with nothing else. */
  #readColumns({ own }: Partial<RunAnswer>, values: Float64Array): void {
    let at = 0;
    for (const each of Array.isArray(own) ? own.slice(0, mostOwn) : []) {
      const { market, interval, name, rows } = (each ?? {}) as Partial<RunAnswer['own'][number]>;
      const book = isCount(market, this.#simulation.books.length - 1) ? this.#simulation.books[market] : undefined;
      if (!book || !Object.hasOwn(intervalMs, textOf(interval, 10)) || !isCount(rows, values.length - at)) return;
      const isSame = interval === book.frame.interval;
      if (!isSame && intervalMs[interval as Interval] < intervalMs[book.frame.interval]) return;
      const frame = isSame ? book.frame : book.longerFrame(interval as Interval);
      const column = values.slice(at, at + rows);
      if (rows !== frame.columns.time.length) return;
      frame.add(textOf(name, 200), () => column, null);
      at += rows;
    }
  }
}

const mostOwn = 500;

function readSeen(seen: unknown, markets: number): Seen {
  const { lines, state } = (typeof seen === 'object' && seen !== null ? seen : {}) as Partial<Seen>;
  const figure = (value: unknown) => (typeof value === 'number' ? value : null);
  return {
    lines: (Array.isArray(lines) ? lines : [])
      .slice(0, markets * mostOwn)
      .filter(
        (each) => typeof each === 'object' && each !== null && Object.hasOwn(intervalMs, textOf(each.interval, 10)),
      )
      .map(({ market, interval, name, value, previous }) => ({
        ...{ market, interval, name: textOf(name, 200), value: figure(value), previous: figure(previous) },
      })),
    state: typeof state === 'object' && state !== null ? state : {},
  };
}
