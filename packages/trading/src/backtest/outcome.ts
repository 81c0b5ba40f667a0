import {
  cagr,
  calmar,
  type DayValue,
  dailyReturns,
  type Metric,
  maxDrawdown,
  profitFactor,
  sharpe,
  sharpeError,
  sortino,
  totalReturn,
  volatility,
  winRate,
} from '../metrics.ts';
import { rowAt, viewOf } from './engine/columns.ts';
import { fillField, tradeField } from './engine/result-tables.ts';
import type { Simulation } from './engine/simulation.ts';
import type { BacktestOutcome, Summary } from './job.ts';
import { deflatedSharpe } from './tries/overfitting.ts';

const dayMs = 86_400_000;
const none = (reason: string): Metric => ({ value: null, reason });
const mean = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / values.length;
const meanOf = (values: readonly number[], reason: string): Metric =>
  values.length === 0 ? none(reason) : { value: mean(values) };

/** Where days of UTC end, as steps: the last step of each. */
function dayEnds(simulation: Simulation, from: number, to: number): number[] {
  const { times, length } = simulation;
  const ends: number[] = [];
  for (let step = from; step < to; ) {
    const time = times[step] as number;
    const next = (Math.floor(time / dayMs) + 1) * dayMs;
    // Where no bar is missing the next day begins so many bars later.
    const expected = step + (next - time) / length;
    step = Math.min(times[expected] === next ? expected : rowAt(times, next), to);
    ends.push(step - 1);
  }
  return ends;
}

/** The end of each day, and of those between that have no bar. */
function daysOf(
  simulation: Simulation,
  ends: readonly number[],
  from: number,
  valueAt: (step: number) => number,
): DayValue[] {
  const days: DayValue[] = [];
  let flow = simulation.flows.findIndex(({ step }) => step >= from);
  if (flow < 0) flow = simulation.flows.length;
  for (const end of ends) {
    const day = Math.floor((simulation.times[end] as number) / dayMs) * dayMs;
    const last = days.at(-1);
    if (last)
      for (let empty = last.day + dayMs; empty < day; empty += dayMs) days.push({ ...last, day: empty, flow: 0 });
    let paid = 0;
    for (; flow < simulation.flows.length && (simulation.flows[flow]?.step ?? 0) <= end; flow++) {
      paid += simulation.flows[flow]?.amount ?? 0;
    }
    days.push({ day, equity: valueAt(end), flow: paid });
  }
  return days;
}

/** Holding all markets in equal shares from the first open at which an order could be filled. */
export function benchmarkOf(simulation: Simulation, from: number): (step: number) => number {
  const { books, times, setup, flows } = simulation;
  const unit = (1 + setup.slippage) * (1 + setup.fees.taker);
  const purchases = [
    {
      step: from + 1,
      amount: from === simulation.first ? setup.capital : (simulation.equity[from - 1] ?? setup.capital),
    },
    ...flows.filter(({ step }) => step > from),
  ].flatMap(({ step, amount }) =>
    books.map(({ market: { columns } }) => {
      const part = amount / books.length;
      const row = rowAt(columns.time, times[step] ?? Number.POSITIVE_INFINITY);
      const open = columns.open[row];
      return {
        at: columns.time[row] ?? Number.POSITIVE_INFINITY,
        paid: times[step] ?? 0,
        part,
        units: open ? part / (open * unit) : 0,
        columns,
      };
    }),
  );
  return (step) => {
    const time = times[step] as number;
    let value = 0;
    for (const { at, paid, part, units, columns } of purchases) {
      if (time >= at) value += units * (columns.close[rowAt(columns.time, time + 1) - 1] ?? 0);
      else if (time >= paid || paid === times[from + 1]) value += part;
    }
    return value;
  };
}

interface Exposure {
  sum: number;
  bars: number;
}

/** All figures of the steps from `from` up to `to`. */
export function summaryOf(
  simulation: Simulation,
  from: number,
  to: number,
  exposure: Exposure,
  tries: number,
): { summary: Summary; days: DayValue[]; returns: number[] } {
  const { equity, times, trades, fills, setup, books } = simulation;
  const start = from === simulation.first ? setup.capital : (equity[from - 1] ?? setup.capital);
  const ends = dayEnds(simulation, from, to);
  const days = daysOf(simulation, ends, from, (step) => equity[step] as number);
  const returns = dailyReturns(start, days);
  const held = benchmarkOf(simulation, from);
  const heldDays = daysOf(simulation, ends, from, held);
  const drawdown = maxDrawdown(returns);
  const results: number[] = [];
  for (let row = 0; row < trades.count; row++) {
    const exit = trades.get(row, tradeField.exitStep);
    if (exit >= from && exit < to) results.push(trades.get(row, tradeField.result));
  }
  const [wins, losses] = [results.filter((each) => each > 0), results.filter((each) => each < 0)];
  const noTrade = 'no trade is closed';
  let [fees, traded] = [0, 0];
  let [day, dayStart] = [0, start];
  for (let row = 0; row < fills.count; row++) {
    const step = fills.get(row, fillField.step);
    if (step < from || step >= to) continue;
    fees += fills.get(row, fillField.fee);
    while (day < ends.length - 1 && step > (ends[day] as number)) {
      dayStart = equity[ends[day] as number] as number;
      day++;
    }
    if (dayStart > 0) traded += (fills.get(row, fillField.amount) * fills.get(row, fillField.price)) / dayStart;
  }
  let [unrealised, open] = [0, 0];
  if (to === simulation.step + 1) {
    for (const book of books) {
      for (const lot of book.lots) {
        unrealised += lot.amount * (simulation.closeOf(book) - lot.price) - lot.fee;
        open++;
      }
    }
  }
  const ratio = sharpe(returns);
  const error = sharpeError(returns);
  const bars = to - from;
  const summary: Summary = {
    from: times[from] ?? 0,
    to: (times[to - 1] ?? 0) + simulation.length,
    bars,
    startEquity: start,
    endEquity: equity[to - 1] ?? start,
    deposits: days.reduce((total, each) => total + each.flow, 0),
    totalReturn: totalReturn(returns),
    cagr: cagr(returns),
    volatility: volatility(returns),
    sharpe: ratio,
    sharpeError: error,
    deflatedSharpe: deflatedSharpe(ratio, error, tries),
    sortino: sortino(returns),
    maxDrawdown: drawdown ? { value: drawdown.depth } : none('no day is over yet'),
    maxDrawdownByBar: bars > 0 ? { value: depthByBar(simulation, from, to, start) } : none('there is no bar'),
    drawdownDays: drawdown?.days ?? 0,
    isUnderWater: drawdown?.isUnderWater ?? false,
    calmar: calmar(returns),
    winRate: winRate(results),
    profitFactor: profitFactor(results),
    expectancy: meanOf(results, noTrade),
    averageWin: meanOf(wins, 'no trade won'),
    averageLoss: meanOf(losses, 'no trade lost'),
    payoff:
      wins.length > 0 && losses.length > 0 ? { value: mean(wins) / -mean(losses) } : none('needs a win and a loss'),
    exposure: bars > 0 ? { value: exposure.sum / bars } : none('there is no bar'),
    timeInMarket: bars > 0 ? { value: exposure.bars / bars } : none('there is no bar'),
    turnover: days.length > 0 ? { value: traded / days.length } : none('no day is over yet'),
    fees,
    closedTrades: results.length,
    openTrades: open,
    unrealised,
    benchmark: totalReturn(dailyReturns(start, heldDays)),
  };
  return { summary, days, returns };
}

/** The few figures that points of a sweep are compared by; they need no value but the last of each day. */
export function pointFigures(simulation: Simulation, from: number, to: number) {
  const { trades, first, setup } = simulation;
  const start = from === first ? setup.capital : simulation.equityAt(from - 1);
  const days = daysOf(simulation, dayEnds(simulation, from, to), from, (step) => simulation.equityAt(step));
  const returns = dailyReturns(start, days);
  let closed = 0;
  for (let row = 0; row < trades.count; row++) {
    const exit = trades.get(row, tradeField.exitStep);
    if (exit >= from && exit < to) closed++;
  }
  return {
    ...{ totalReturn: totalReturn(returns).value, sharpe: sharpe(returns).value, trades: closed },
    maxDrawdown: maxDrawdown(returns)?.depth ?? null,
  };
}

/** How far the value was under its highest at any close; what was paid in does not count as a rise. */
function depthByBar(simulation: Simulation, from: number, to: number, start: number): number {
  const { flows } = simulation;
  const equity = viewOf(simulation.equity);
  let [peak, depth] = [start, 0];
  if (flows.length === 0) {
    for (let step = from; step < to; step++) {
      const value = equity[step] as number;
      if (value > peak) peak = value;
      // Compared by products: a division for each bar would take longer than all the rest.
      else if (value < peak * (1 + depth)) depth = value / peak - 1;
    }
    return depth;
  }
  const paid = new Map<number, number>();
  for (const { step, amount } of flows) paid.set(step, (paid.get(step) ?? 0) + amount);
  let [unit, before] = [1, start];
  peak = 1;
  for (let step = from; step < to; step++) {
    const now = equity[step] as number;
    if (before > 0) unit *= (now - (paid.get(step) ?? 0)) / before;
    before = now;
    if (unit > peak) peak = unit;
    depth = Math.min(depth, unit / peak - 1);
  }
  return depth;
}

const mostPoints = 4_000;

/** Of each stretch its first, highest, lowest and deepest point. */
export function seriesOf(simulation: Simulation): BacktestOutcome['series'] {
  const { times, flows, first, setup } = simulation;
  const equity = viewOf(simulation.equity);
  const to = simulation.step + 1;
  const count = Math.max(to - first, 0);
  const series: BacktestOutcome['series'] = { time: [], equity: [], drawdown: [], benchmark: [] };
  if (count === 0) return series;
  const held = benchmarkOf(simulation, first);
  const group = Math.ceil(count / (mostPoints / 4));
  let flow = 0;
  const flowStep = () => flows[flow]?.step ?? Number.POSITIVE_INFINITY;
  let nextFlow = flowStep();
  // What is paid in raises the mark that a fall is counted from.
  let peak = setup.capital;
  for (let from = first; from < to; from += group) {
    const end = Math.min(from + group, to);
    let [highest, lowest, deepest] = [from, from, from];
    let [high, low, depth] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [peakFirst, peakHighest, peakLowest, peakDeepest] = [peak, peak, peak, peak];
    for (let step = from; step < end; step++) {
      const value = equity[step] as number;
      for (; step === nextFlow; nextFlow = flowStep()) peak += flows[flow++]?.amount ?? 0;
      if (value > peak) peak = value;
      if (step === from) peakFirst = peak;
      if (value > high) {
        high = value;
        highest = step;
        peakHighest = peak;
      }
      if (value < low) {
        low = value;
        lowest = step;
        peakLowest = peak;
      }
      // Compared by products: a division for each bar would take longer than all the rest.
      if (value < depth * peak) {
        depth = value / peak;
        deepest = step;
        peakDeepest = peak;
      }
    }
    const peaks = new Map([
      [highest, peakHighest],
      [lowest, peakLowest],
      [deepest, peakDeepest],
      [from, peakFirst],
    ]);
    for (const step of [...peaks.keys()].sort((a, b) => a - b)) {
      const value = equity[step] as number;
      series.time.push((times[step] as number) + simulation.length);
      series.equity.push(value);
      series.drawdown.push(Math.min(value / (peaks.get(step) ?? peak) - 1, 0));
      series.benchmark.push(held(step));
    }
  }
  return series;
}
export function monthlyReturns(start: number, days: readonly DayValue[]): { month: string; value: number }[] {
  const months: { month: string; value: number }[] = [];
  let before = start;
  for (const { day, equity, flow } of days) {
    const change = before > 0 ? (equity - flow) / before : 1;
    before = equity;
    const month = new Date(day).toISOString().slice(0, 7);
    const last = months.at(-1);
    if (last?.month === month) last.value = (1 + last.value) * change - 1;
    else months.push({ month, value: change - 1 });
  }
  return months;
}

const barsOfDistribution = 20;
export function distributionOf(shares: readonly number[]): BacktestOutcome['distribution'] {
  if (shares.length === 0) return [];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const share of shares) [low, high] = [Math.min(low, share), Math.max(high, share)];
  if (low === high) return [{ from: low, to: high, count: shares.length }];
  const width = (high - low) / barsOfDistribution;
  const bins = Array.from({ length: barsOfDistribution }, (_, index) => ({
    ...{ from: low + index * width, to: low + (index + 1) * width, count: 0 },
  }));
  for (const share of shares) {
    const bin = bins[Math.min(Math.floor((share - low) / width), barsOfDistribution - 1)];
    if (bin) bin.count++;
  }
  return bins;
}
