import { describe, expect, it } from 'vitest';
import { runBacktest } from '../backtest.ts';
import { movingAverageCross } from '../templates/moving-average-cross.ts';
import { jobOf, marketOf, wandering } from '../testing.ts';
import { monteCarlo, tradeReturns } from './monte-carlo.ts';
import { deflatedSharpe, expectedHighest, normalShare, normalValue } from './overfitting.ts';
import { rangeOf, runSweep, sweepPoints } from './sweep.ts';
import { walkForward } from './walk-forward.ts';

const markets = [marketOf(wandering(24 * 120, 5))];
const ranges = { fast: [5, 10, 20], slow: [30, 60] };
const job = { ...jobOf(movingAverageCross, markets), ranges };

describe('a sweep', () => {
  it('comes to the figures that a backtest of each point has', () => {
    const points = runSweep(job);
    expect(points).toHaveLength(6);
    for (const point of points) {
      const { summary } = runBacktest({ ...job, parameters: point.parameters });
      expect(point).toMatchObject({
        ...{ problem: null, totalReturn: summary?.totalReturn.value, sharpe: summary?.sharpe.value },
        ...{ maxDrawdown: summary?.maxDrawdown.value, trades: summary?.closedTrades },
      });
    }
  });
  it('can be divided', () => {
    const parts = [0, 1].flatMap((index) => runSweep(job, undefined, { index, of: 2 }));
    const key = (point: object) => JSON.stringify(point);
    expect(parts.map(key).sort()).toEqual(runSweep(job).map(key).sort());
  });
  it('tells a point that cannot be, in its place', () => {
    const points = runSweep({ ...job, ranges: { fast: [5, 9_999], slow: [30] } });
    expect(points.map(({ problem }) => problem?.message ?? null)).toEqual([null, 'fast must be at most 200']);
  });
  it('keeps the points that were done when the time is over', () => {
    const code = `export default strategy({
      parameters: { turns: integer({ default: 0, min: 0, max: 9 }) },
      start: (_, { turns }) => ({ onBar() { while (turns > 1); } }),
    });`;
    const points = runSweep({ ...jobOf(code, markets), ranges: { turns: [0, 1, 2, 3] }, timeLimitMs: 2_000 });
    expect(points.map(({ problem }) => problem?.code ?? null)).toEqual([null, null, 'time_limit', 'time_limit']);
    expect(points.map(({ parameters }) => parameters.turns)).toEqual([0, 1, 2, 3]);
  });
  it('refuses more combinations than it could show', () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    expect(() => sweepPoints({ a: many, b: many })).toThrow(/more than 10000/);
  });
  it('makes ranges of what is declared', () => {
    const constraints = [{ less: 'a', greater: 'b' }];
    expect(sweepPoints({ a: [1, 2, 3], b: [2, 3] }, constraints).map(({ a, b }) => [a, b])).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    expect(sweepPoints({ a: [1, 2, 3] }, constraints, { b: 2 })).toEqual([{ a: 1 }]);
    expect(() => sweepPoints({ a: [5] }, constraints, { b: 2 })).toThrow(/No combination/);
    expect(rangeOf({ kind: 'integer', default: 5, min: 2, max: 10 }, 5)).toEqual([2, 4, 6, 8, 10]);
    expect(rangeOf({ kind: 'integer', default: 2, min: 1, max: 3 }, 10)).toEqual([1, 2, 3]);
    expect(rangeOf({ kind: 'boolean', default: true }, 5)).toEqual([false, true]);
    expect(rangeOf({ kind: 'number', default: 1, min: 0, max: 1, step: 0.25 }, 3)).toEqual([0, 0.5, 1]);
  });
  it('shows what was not looked at apart', () => {
    const outOfSampleFrom = (markets[0]?.columns.time[24 * 60] ?? 0) as number;
    const [point] = runSweep({ ...job, outOfSampleFrom });
    const { inSample, outOfSample } = runBacktest({ ...job, outOfSampleFrom, parameters: point?.parameters ?? {} });
    expect(point).toMatchObject({
      totalReturn: inSample?.totalReturn.value,
      outOfSampleReturn: outOfSample?.totalReturn.value,
    });
  });
});

describe('walking forward', () => {
  it('chooses on one stretch and trades the next', () => {
    const outcome = walkForward(job, { train: 24 * 30, test: 24 * 15, choose: 'totalReturn' });
    expect(outcome.windows).toHaveLength(5);
    const [first] = outcome.windows;
    const time = markets[0]?.columns.time as Float64Array;
    const trained = runSweep({
      ...job,
      from: first?.trainFrom,
      markets: markets.map((market) => ({
        ...market,
        columns: Object.fromEntries(
          Object.entries(market.columns).map(([name, values]) => [
            name,
            values.slice(0, time.indexOf(first?.testFrom ?? 0)),
          ]),
        ) as typeof market.columns,
      })),
    });
    const best = Math.max(...trained.map(({ totalReturn }) => totalReturn ?? -1));
    expect(first?.train?.totalReturn).toBe(best);
    const chained = outcome.windows.reduce((total, { test }) => total * (1 + (test?.totalReturn ?? 0)), 1) - 1;
    expect(outcome.totalReturn).toBeCloseTo(chained, 12);
  });
  it('refuses what does not fit', () => {
    expect(() => walkForward(job, { train: 10_000, test: 10, choose: 'sharpe' })).toThrow(/too few/);
  });
});

describe('luck', () => {
  it('draws the same trades again, the same for the same seed', () => {
    const returns = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? 0.03 : -0.01));
    const drawn = monteCarlo(returns, 1);
    expect(monteCarlo(returns, 1)).toEqual(drawn);
    expect(monteCarlo(returns, 2)).not.toEqual(drawn);
    const values = drawn?.totalReturn.map(({ value }) => value) ?? [];
    expect([...values].sort((a, b) => a - b)).toEqual(values);
    expect(drawn?.lossShare).toBeGreaterThan(0);
    expect(drawn?.lossShare).toBeLessThan(0.5);
    expect(monteCarlo(returns.slice(0, 9), 1)).toBeNull();
    expect(
      monteCarlo(
        Array.from({ length: 20 }, () => 0.01),
        1,
      ),
    ).toMatchObject({ lossShare: 0, deeperShare: 0 });
  });
  it('takes trades by what they did to the equity', () => {
    expect(
      tradeReturns(100, [
        { exitTime: 2, result: 11 },
        { exitTime: 1, result: 10 },
        { exitTime: null, result: 5 },
      ]),
    ).toEqual([0.1, 0.1]);
  });
  it('of many tries is taken from the ratio', () => {
    expect(normalShare(1.96)).toBeCloseTo(0.975, 4);
    expect(normalValue(0.975)).toBeCloseTo(1.96, 3);
    // Of a thousand draws of a normal variable the highest is expected at 3.24.
    expect(expectedHighest(1_000)).toBeCloseTo(3.24, 1);
    const [ratio, error] = [{ value: 2 }, { value: 1 }];
    const chances = [1, 10, 100].map((tries) => deflatedSharpe(ratio, error, tries).value ?? 0);
    expect(chances[0]).toBeCloseTo(0.977, 3);
    expect(chances[1]).toBeLessThan(chances[0] ?? 0);
    expect(chances[2]).toBeLessThan(0.5);
    expect(deflatedSharpe({ value: null, reason: 'x' }, error)).toEqual({ value: null, reason: 'x' });
  });
});
