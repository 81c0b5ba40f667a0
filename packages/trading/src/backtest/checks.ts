import { StrategyError } from './code/load.ts';
import { cutMarket } from './cut-market.ts';
import type { Book } from './engine/book.ts';
import { type Frame, IndicatorCache, valuesOf } from './engine/frame.ts';
import { cancelKind, decisionField, decisionKinds } from './engine/result-tables.ts';
import { type Drive, Simulation } from './engine/simulation.ts';
import type { BacktestMarket, Check } from './job.ts';

/** How many runs over shorter data a look-ahead test takes, and how many of them end where something was decided. */
const cuts = 8;
const cutsAtDecisions = 6;
/** Own columns may be computed in another order for fewer bars; what was decided is the same all the same. */
export const nearly = 1e-9;
/** What is left of a recursive indicator's start must not show beyond this. */
const settled = 1e-3;
const warmUpBars = 20_000;

const isNear = (a: number, b: number, tolerance: number) =>
  a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));

export const timeText = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

function decisionText(simulation: Simulation, row: number): string {
  const get = (field: keyof typeof decisionField) => simulation.decisions.get(row, decisionField[field]);
  const parts = [`${decisionKinds[get('kind')]} ${simulation.books[get('market')]?.market.symbol}`];
  parts.push(`size ${get('size')}`);
  for (const name of ['limit', 'trigger', 'stop', 'takeProfit'] as const) {
    if (!Number.isNaN(get(name))) parts.push(`${name} ${get(name)}`);
  }
  if (get('isRejected')) parts.push('rejected');
  return parts.join(', ');
}

interface Difference {
  at: number;
  ours: string;
  theirs: string;
}

/** The first decision up to a time that only one of two runs made, or made otherwise. */
export function differenceOf(a: Simulation, b: Simulation, until: number, tolerance: number): Difference | null {
  const timeOf = (simulation: Simulation, row: number) =>
    row < simulation.decisions.count
      ? (simulation.times[simulation.decisions.get(row, decisionField.step)] as number)
      : Number.POSITIVE_INFINITY;
  let from = 0;
  // Usually they are the same to the bit for as long as they are compared.
  if (a.times[0] === b.times[0]) {
    const [valuesA, valuesB] = [a.decisions.values, b.decisions.values];
    const shared = Math.min(valuesA.length, valuesB.length);
    let at = 0;
    while (at < shared && Object.is(valuesA[at], valuesB[at])) at++;
    from = Math.floor(at / a.decisions.width);
  }
  for (let row = from; ; row++) {
    const [timeA, timeB] = [timeOf(a, row), timeOf(b, row)];
    const at = Math.min(timeA, timeB);
    if (at > until || at === Number.POSITIVE_INFINITY) return null;
    const isSame =
      timeA === timeB &&
      Object.values(decisionField).every(
        (field) =>
          field === decisionField.step || isNear(a.decisions.get(row, field), b.decisions.get(row, field), tolerance),
      );
    if (isSame) continue;
    const text = (simulation: Simulation, time: number) => (time === at ? decisionText(simulation, row) : 'nothing');
    return { at: at + a.length, ours: text(a, timeA), theirs: text(b, timeB) };
  }
}

const framesOf = (book: Book): Frame[] => [book.frame, ...book.longer.map(({ frame }) => frame)];

/** The first value of the strategy's own columns that changes when bars after it are missing. */
function columnDifference(
  whole: Simulation,
  part: Simulation,
): { at: number; name: string; whole: number; part: number } | null {
  for (const [index, book] of part.books.entries()) {
    const wholeBook = whole.books[index];
    const wholeFrames = wholeBook ? framesOf(wholeBook) : [];
    for (const [place, frame] of framesOf(book).entries()) {
      const wholeFrame = wholeFrames[place];
      for (const [at, line] of frame.lines.entries()) {
        if (!frame.own.has(line)) continue;
        const other = wholeFrame?.lines[at];
        if (!other) continue;
        const [values, wholeValues] = [valuesOf(line), valuesOf(other)];
        for (let row = 0; row <= frame.row; row++) {
          if (isNear(values[row] as number, wholeValues[row] as number, nearly)) continue;
          return {
            ...{ at: frame.columns.time[row] as number, name: line.name },
            ...{ whole: wholeValues[row] as number, part: values[row] as number },
          };
        }
      }
    }
  }
  return null;
}

const upTo = (market: BacktestMarket, time: number, length: number): BacktestMarket =>
  cutMarket(market, { until: time + 1, finerUntil: time + length });
const since = (market: BacktestMarket, from: number): BacktestMarket => cutMarket(market, { from });

/** Where data is cut: after bars at which something was decided, for that is what a look ahead would change. */
function cutSteps(whole: Simulation): number[] {
  const { first, decisions } = whole;
  const last = whole.step - 1;
  if (last < first) return [];
  // Not by the seed of the test: its author could choose one with which the bars that look ahead are missed.
  const next = (count: number) => Math.floor(Math.random() * count);
  const chosen = new Set<number>();
  const stepAt = (row: number) => Math.min(decisions.get(row, decisionField.step), last);
  const all = Array.from({ length: decisions.count }, (_, row) => row);
  // Stops that are moved at each bar would hide the few bars at which it buys and sells.
  const orders = all.filter((row) => decisions.get(row, decisionField.kind) < cancelKind);
  const rows = orders.length > 0 ? orders : all;
  if (rows.length > 0) {
    for (const row of [rows[0], rows.at(-1)]) chosen.add(stepAt(row as number));
    for (let tries = 0; chosen.size < cutsAtDecisions && tries < 40; tries++)
      chosen.add(stepAt(rows[next(rows.length)] as number));
  }
  for (let tries = 0; chosen.size < cuts && tries < 40; tries++) chosen.add(first + next(last - first + 1));
  return [...chosen].sort((a, b) => a - b);
}

/** Passes of the same strategy, each in a new process that knows of no other. */
export type Apart = <Result>(work: (drive: Drive) => Result) => Result;

/** What could not be run at all says nothing of the strategy. */
export function untestedBy(error: unknown, runs: number): Check | null {
  if (!(error instanceof StrategyError) || !(error.isEnded || error.problem.code === 'time_limit')) return null;
  return { state: 'skipped', runs, message: `Not tested: ${error.message}`, at: null };
}

/**
 * Runs the same strategy over data that ends earlier, each time in a new process that has these bars and nothing else: up to
 * there it must decide the same.
 */
export function lookAheadCheck(whole: Simulation, apart: Apart, onProgress?: (share: number) => void): Check {
  const { setup, times } = whole;
  const steps = cutSteps(whole);
  if (steps.length === 0) return { state: 'skipped', runs: 0, message: 'There are too few bars to test', at: null };
  const equity = new Float64Array(whole.books.length === 1 ? 0 : times.length);
  let runs = 0;
  for (const step of steps) {
    const until = times[step] as number;
    const fail = (message: string, at: number): Check => ({ state: 'failed', runs, message, at });
    const markets = setup.markets.map((market) => upTo(market, until, whole.length));
    let part: Simulation;
    try {
      part = apart((drive) => {
        const simulation = new Simulation({
          ...{ ...setup, markets, drive, cache: new IndicatorCache(setup.cache), state: {} },
          ...{ equity, recordFrom: Number.POSITIVE_INFINITY },
        });
        simulation.run();
        return simulation;
      });
    } catch (error) {
      const untested = untestedBy(error, runs);
      if (untested) return untested;
      const message = error instanceof Error ? error.message : String(error);
      runs++;
      return fail(`With data up to ${timeText(until + whole.length)} only, the strategy fails: ${message}`, until);
    }
    runs++;
    onProgress?.(runs / steps.length);
    const column = columnDifference(whole, part);
    if (column) {
      return fail(
        `Column ${column.name} looks ahead: at ${timeText(column.at)} it is ${column.whole} with all data, ` +
          `${column.part} with data up to ${timeText(until + whole.length)}`,
        column.at,
      );
    }
    const difference = differenceOf(whole, part, until, nearly);
    if (difference) {
      return fail(
        `Looks ahead: at ${timeText(difference.at)} it decides "${difference.ours}" with all data, ` +
          `"${difference.theirs}" with data up to ${timeText(until + whole.length)}`,
        difference.at,
      );
    }
  }
  const message =
    whole.decisions.count === 0
      ? `It decided nothing with data that ends at ${runs} earlier bars either: there was little to test`
      : `Decided the same with data that ends at ${runs} earlier bars`;
  return { state: 'passed', runs, message, at: null };
}

/** Begins to trade at the same bar with all history before it and with no more than the warm-up: both must decide the same. */
export function warmUpCheck(whole: Simulation, apart: Apart): Check {
  const { setup, times } = whole;
  const { warmUp } = setup;
  // Where nothing lies before the first bar that is traded, a later one is the start of both.
  const begin = whole.first > warmUp ? whole.first : whole.first + Math.max(2 * warmUp, 50);
  const end = Math.min(begin + Math.max(warmUpBars, 4 * warmUp), whole.step + 1);
  if (end - begin < 10) return { state: 'skipped', runs: 0, message: 'There are too few bars to test', at: null };
  const from = times[begin] as number;
  const until = times[end - 1] as number;
  const markets = setup.markets.map((market) => upTo(market, until, whole.length));
  const runOf = (each: BacktestMarket[], cache: IndicatorCache) =>
    apart((drive) => {
      const simulation = new Simulation({ ...setup, markets: each, from, cache, drive, state: {} });
      simulation.run();
      return simulation;
    });
  try {
    const long = runOf(markets, new IndicatorCache(setup.cache));
    const earliest = times[begin - warmUp] as number;
    const short = runOf(
      markets.map((market) => since(market, earliest)),
      new IndicatorCache(),
    );
    const difference = differenceOf(long, short, until, settled);
    if (!difference) {
      return { state: 'passed', runs: 2, message: `${warmUp} bars of warm-up are enough`, at: null };
    }
    return {
      ...{ state: 'failed', runs: 2, at: difference.at },
      message:
        `${warmUp} bars of warm-up are too few: at ${timeText(difference.at)} it decides "${difference.ours}" with ` +
        `${begin} bars before the start, "${difference.theirs}" with ${warmUp}`,
    };
  } catch (error) {
    const untested = untestedBy(error, 0);
    if (untested) return untested;
    const message = error instanceof Error ? error.message : String(error);
    return {
      state: 'failed',
      runs: 2,
      message: `With ${warmUp} bars of warm-up the strategy fails: ${message}`,
      at: from,
    };
  }
}
