import { StrategyError } from '../code/load.ts';
import type { ParameterValue } from '../code/parameters.ts';
import { checkJob, prepare, timeLimitOf } from '../code/prepare.ts';
import { cutMarket } from '../cut-market.ts';
import { rowAt } from '../engine/columns.ts';
import { IndicatorCache } from '../engine/frame.ts';
import { timelineOf } from '../engine/timeline.ts';
import { type HostedStrategy, loadHosted } from '../hosts/load.ts';
import { type SweepJob, type SweepPoint, sweepPoint, sweepPoints } from './sweep.ts';

export interface WalkForwardWindow {
  trainFrom: number;
  testFrom: number;
  testTo: number;
  /** The best of the training, by the chosen figure; null where none came to a figure. */
  parameters: Record<string, ParameterValue> | null;
  train: SweepPoint | null;
  test: SweepPoint | null;
}
export interface WalkForwardOutcome {
  windows: WalkForwardWindow[];
  /** Of the tests, one after the other. */
  totalReturn: number | null;
  /** What a test made on average, and what the trainings made of as many bars: both compounded. */
  perTest: { test: number; train: number } | null;
  /** The one by the other: what is left of what was promised. */
  efficiency: number | null;
}
export interface WalkForwardOptions {
  /** In bars. */
  train: number;
  test: number;
  choose: 'totalReturn' | 'sharpe';
}

const mostWindows = 200;

/** Chooses values on a stretch, trades the next one with them, moves on: only what follows a choice counts. */
export function walkForward(
  job: SweepJob,
  options: WalkForwardOptions,
  onProgress?: (share: number) => void,
): WalkForwardOutcome {
  checkJob(job);
  const strategy = loadHosted(job.code, job.hosts);
  try {
    return walk(job, strategy, options, onProgress);
  } finally {
    strategy.end();
  }
}

function walk(
  job: SweepJob,
  strategy: HostedStrategy,
  options: WalkForwardOptions,
  onProgress?: (share: number) => void,
): WalkForwardOutcome {
  const { train, test, choose } = options;
  const refuse = (message: string): never => {
    throw new StrategyError({ code: 'job', message, at: null, line: null });
  };
  if (!(train >= 1) || !(test >= 1)) refuse('Training and test need at least one bar');
  const points = sweepPoints(job.ranges, job.constraints, job.parameters);
  const setup = prepare({ ...job, parameters: { ...job.parameters, ...points[0] } }, strategy);
  const drive = strategy.drive();
  const times = timelineOf(job.markets);
  const begin = Math.max(setup.from > 0 ? rowAt(times, setup.from) : 0, setup.warmUp);
  const count = Math.floor((times.length - begin - train) / test);
  if (count < 1) refuse(`There are ${times.length} bars: too few for one training and test`);
  if (count > mostWindows) refuse(`These are ${count} windows; at most ${mostWindows}`);
  const windows: WalkForwardWindow[] = [];
  for (let index = 0; index < count; index++) {
    const trainStep = begin + index * test;
    const [trainFrom, testFrom] = [times[trainStep] as number, times[trainStep + train] as number];
    const endStep = trainStep + train + test;
    const testTo = times[endStep] ?? Number.POSITIVE_INFINITY;
    const pointOf = (from: number, to: number, given: Record<string, ParameterValue>) => {
      const markets = setup.markets.map((market) => cutMarket(market, { until: to }));
      const all = { ...job.parameters, ...given };
      const part = { ...setup, markets, from, drive, cache: new IndicatorCache() };
      return strategy.guard(() => sweepPoint(strategy, part, all, undefined), timeLimitOf(job));
    };
    let best: SweepPoint | null = null;
    for (const point of points) {
      const result = pointOf(trainFrom, testFrom, point);
      const value = result[choose];
      if (value !== null && (best === null || value > (best[choose] ?? value))) best = result;
    }
    windows.push({
      ...{ trainFrom, testFrom, testTo: Number.isFinite(testTo) ? testTo : (times.at(-1) as number) },
      ...{ parameters: best?.parameters ?? null, train: best },
      test: best && pointOf(testFrom, testTo, best.parameters),
    });
    onProgress?.((index + 1) / count);
  }
  const both = windows.filter((each) => each.train?.totalReturn != null && each.test?.totalReturn != null);
  if (both.length === 0) return { windows, totalReturn: null, perTest: null, efficiency: null };
  const mean = (part: 'train' | 'test', bars: number) => {
    const growth = both.reduce((sum, each) => sum + Math.log1p(Math.max(each[part]?.totalReturn ?? 0, -1)), 0);
    return Math.expm1((growth / both.length) * (test / bars));
  };
  const perTest = { test: mean('test', test), train: mean('train', train) };
  return {
    windows,
    totalReturn: both.reduce((total, each) => total * (1 + (each.test?.totalReturn ?? 0)), 1) - 1,
    perTest,
    efficiency: perTest.train > 0 ? perTest.test / perTest.train : null,
  };
}
