import { uniform } from '../../demo/noise.ts';
import type { Trade } from '../job.ts';

/** What the same trades could have come to in another order and with other luck. */
export interface MonteCarloOutcome {
  runs: number;
  trades: number;
  /** Of what a run ends with and of how far it falls, at 5, 25, 50, 75 and 95 percent of the runs. */
  totalReturn: { share: number; value: number }[];
  maxDrawdown: { share: number; value: number }[];
  /** Share of runs that end with a loss. */
  lossShare: number;
  /** Share of runs that fall deeper than the trades in their own order did. */
  deeperShare: number;
}

/** What each closed trade did to the equity, in the order in which they ended. */
export function tradeReturns(capital: number, trades: readonly Pick<Trade, 'exitTime' | 'result'>[]): number[] {
  let equity = capital;
  return trades
    .filter(({ exitTime }) => exitTime !== null)
    .sort((a, b) => (a.exitTime ?? 0) - (b.exitTime ?? 0))
    .map(({ result }) => {
      const share = equity > 0 ? result / equity : 0;
      equity += result;
      return share;
    });
}

const shares = [0.05, 0.25, 0.5, 0.75, 0.95];

/** Draws as many trades as there were, with replacement, again and again. Null where there are too few to draw from. */
export function monteCarlo(returns: readonly number[], seed: number, runs = 1_000): MonteCarloOutcome | null {
  const count = returns.length;
  if (count < 10) return null;
  const course = (pick: (index: number) => number) => {
    let [value, peak, depth] = [1, 1, 0];
    for (let index = 0; index < count; index++) {
      value *= 1 + (returns[pick(index)] as number);
      if (value > peak) peak = value;
      depth = Math.min(depth, value / peak - 1);
    }
    return { total: value - 1, depth };
  };
  const own = course((index) => index);
  const totals = new Float64Array(runs);
  const depths = new Float64Array(runs);
  for (let run = 0; run < runs; run++) {
    const { total, depth } = course((index) => Math.floor(uniform(seed, run, index) * count));
    totals[run] = total;
    depths[run] = depth;
  }
  totals.sort();
  depths.sort();
  const at = (values: Float64Array) =>
    shares.map((share) => ({ share, value: values[Math.min(Math.floor(share * runs), runs - 1)] as number }));
  return {
    ...{ runs, trades: count, totalReturn: at(totals), maxDrawdown: at(depths) },
    lossShare: totals.filter((total) => total < 0).length / runs,
    deeperShare: depths.filter((depth) => depth < own.depth).length / runs,
  };
}
