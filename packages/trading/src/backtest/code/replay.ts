import { type Interval, intervalMs } from '../../port.ts';
import type { Book } from '../engine/book.ts';
import {
  callField,
  callKinds,
  callWidth,
  exitNumbers,
  longestReason,
  mostCallReasons,
  orderNumbers,
} from '../engine/calls.ts';
import type { Simulation } from '../engine/simulation.ts';
import type { Handlers, OrderOptions } from '../engine/strategy.ts';
import { doublesOf } from '../hosts/frames.ts';
import { type Host, HostEnded, type KeptBars } from '../hosts/host.ts';
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
    this.#check(end ?? times.length);
    this.#readLogs(answer);
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
    for (;;) {
      const at = this.#row * callWidth;
      if (at >= calls.length || calls[at + callField.step] !== step) break;
      this.#row++;
      this.#call(at);
    }
    if (this.#problem && step === this.#problemStep) throw this.#problem;
    this.#advance();
  }
  #call(at: number): void {
    const simulation = this.#simulation;
    const calls = this.#calls;
    const book = simulation.books[calls[at + callField.market] as number] as Book;
    const given = calls[at + callField.given] as number;
    const number = (index: number) => calls[at + callField.numbers + index] as number;
    const reason = this.#reasons[calls[at + callField.reason] as number] ?? '';
    switch (calls[at + callField.kind]) {
      case callKinds.buy:
      case callKinds.sell: {
        const options: OrderOptions = { reason };
        for (let index = 0; index < orderNumbers.length; index++) {
          if (given & (1 << index)) options[orderNumbers[index] as (typeof orderNumbers)[number]] = number(index);
        }
        simulation.order(book, calls[at + callField.kind] === callKinds.buy, options);
        return;
      }
      case callKinds.cancel:
        simulation.cancel(book, given ? number(0) : undefined);
        return;
      case callKinds.protect: {
        const exits: { stop?: number | null; takeProfit?: number | null } = {};
        for (let index = 0; index < exitNumbers.length; index++) {
          const value = Number.isNaN(number(index)) ? null : number(index);
          if (given & (1 << index)) exits[exitNumbers[index] as (typeof exitNumbers)[number]] = value;
        }
        simulation.protect(book, exits);
        return;
      }
      case callKinds.weights: {
        const shares: Record<string, number> = {};
        for (let row = this.#row * callWidth; calls[row + callField.kind] === callKinds.share; row += callWidth) {
          if (calls[row + callField.step] !== simulation.step) break;
          const { symbol } = (simulation.books[calls[row + callField.market] as number] as Book).market;
          shares[symbol] = calls[row + callField.numbers] as number;
          this.#row++;
        }
        simulation.weights(shares, number(0), reason);
      }
    }
  }

  /** Each is of a bar of this run and of a market of it, and they are in order. */
  #check(end: number): void {
    const calls = this.#calls;
    const { first, books } = this.#simulation;
    const most = Object.keys(callKinds).length;
    let before = first;
    for (let at = 0; at < calls.length; at += callWidth) {
      const step = calls[at + callField.step] as number;
      const kind = calls[at + callField.kind] as number;
      const market = calls[at + callField.market] as number;
      const isOrdered = Number.isInteger(step) && step >= before && step < end;
      const isKnown = Number.isInteger(kind) && kind >= 0 && kind < most;
      const isHere = Number.isInteger(market) && market >= 0 && market < books.length;
      if (!isOrdered || !isKnown || !isHere) throw notDecisions();
      before = step;
    }
  }

  #readLogs({ logs, dropped }: Partial<RunAnswer>): void {
    const simulation = this.#simulation;
    for (const each of Array.isArray(logs) ? logs.slice(0, mostLogs) : []) {
      const [step, text] = Array.isArray(each) ? each : [];
      if (isCount(step, simulation.times.length - 1)) simulation.log(textOf(text, 10_000), step);
    }
    if (isCount(dropped, Number.MAX_SAFE_INTEGER)) simulation.droppedLogs += dropped;
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

const mostLogs = 1_000;
const mostOwn = 500;

const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
const readTexts = (values: unknown, most: number, longest: number): string[] =>
  Array.isArray(values) ? values.slice(0, most).map((each) => textOf(each, longest)) : [];

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

/** Of a process that no strategy as it is written would make. */
function notDecisions(): HostEnded {
  return new HostEnded('garbage');
}
