import { StrategyError } from '../code/load.ts';
import { type Parameters, type ParameterValue, parameterValues } from '../code/parameters.ts';
import { checkJob, prepare, problemOf, timeLimitOf, warmUpOf } from '../code/prepare.ts';
import { rowAt } from '../engine/columns.ts';
import { Simulation, type SimulationSetup } from '../engine/simulation.ts';
import { timelineOf } from '../engine/timeline.ts';
import { HostEnded } from '../hosts/host.ts';
import { type HostedStrategy, loadHosted } from '../hosts/load.ts';
import type { BacktestJob, StrategyProblem } from '../job.ts';
import { pointFigures } from '../outcome.ts';

export interface SweepPoint {
  parameters: Record<string, ParameterValue>;
  problem: StrategyProblem | null;
  totalReturn: number | null;
  sharpe: number | null;
  maxDrawdown: number | null;
  trades: number;
  /** Of the part after the job's mark; the other figures are then of the part before it. */
  outOfSampleReturn: number | null;
}
export type SweepRanges = Record<string, readonly ParameterValue[]>;
/** `parameters` are those that stay as they are. */
export type SweepJob = BacktestJob & { ranges: SweepRanges; constraints?: readonly SweepConstraint[] | undefined };
/** The value of one parameter is below that of another one. */
export interface SweepConstraint {
  less: string;
  greater: string;
}

const mostPoints = 10_000;

/** Every combination of the values that keeps to the constraints, in order. */
export function sweepPoints(
  ranges: SweepRanges,
  constraints: readonly SweepConstraint[] = [],
  fixed: Record<string, ParameterValue> = {},
): Record<string, ParameterValue>[] {
  let points: Record<string, ParameterValue>[] = [{}];
  for (const [name, values] of Object.entries(ranges)) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
    if (points.length > mostPoints) {
      const message = `These are more than ${mostPoints} combinations`;
      throw new StrategyError({ code: 'parameters', message, at: null, line: null });
    }
  }
  const isKept = (point: Record<string, ParameterValue>) => {
    const all = { ...fixed, ...point };
    return constraints.every(({ less, greater }) => Number(all[less]) < Number(all[greater]));
  };
  const kept = points.filter(isKept);
  if (kept.length > 0) return kept;
  throw new StrategyError({
    code: 'parameters',
    message: 'No combination keeps to the constraints',
    at: null,
    line: null,
  });
}

/** Values from the least to the most that a parameter takes, at most `count` of them. */
export function rangeOf(parameter: Parameters[string], count: number): ParameterValue[] {
  if (parameter.kind === 'boolean') return [false, true];
  if (parameter.kind === 'choice') return [...parameter.options];
  const { min, max, kind } = parameter;
  const step = parameter.step ?? (kind === 'integer' ? 1 : 0);
  const values = Array.from({ length: count }, (_, index) => {
    const exact = min + ((max - min) * index) / Math.max(count - 1, 1);
    return step > 0 ? Math.min(min + Math.round((exact - min) / step) * step, max) : exact;
  });
  return [...new Set(values)];
}

/**
 * Runs a strategy with each combination of the ranges. `part` is a share of them, so that several processes can divide the
 * work. The tests for look-ahead are those of a backtest with the chosen values.
 */
export function runSweep(
  job: SweepJob,
  onProgress?: (share: number) => void,
  part: { index: number; of: number } = { index: 0, of: 1 },
): SweepPoint[] {
  checkJob(job);
  const points = sweepPoints(job.ranges, job.constraints, job.parameters).filter(
    (_, index) => index % part.of === part.index,
  );
  if (points.length === 0) return [];
  const strategy = loadHosted(job.code, job.hosts);
  try {
    return runPoints(job, strategy, points, onProgress);
  } finally {
    strategy.end();
  }
}

function runPoints(
  job: SweepJob,
  strategy: HostedStrategy,
  points: Record<string, ParameterValue>[],
  onProgress?: (share: number) => void,
): SweepPoint[] {
  const prepared = prepare({ ...job, parameters: { ...job.parameters, ...points[0] } }, strategy);
  // Each point is measured before the next one writes over it.
  const equity = new Float64Array(timelineOf(job.markets).length);
  const setup = { ...prepared, equity, recordFrom: Number.POSITIVE_INFINITY, drive: strategy.drive() };
  const results: SweepPoint[] = [];
  try {
    strategy.guard(() => {
      for (const point of points) {
        results.push(sweepPoint(strategy, setup, { ...job.parameters, ...point }, job.outOfSampleFrom));
        onProgress?.(results.length / points.length);
      }
    }, timeLimitOf(job));
  } catch (error) {
    const { problem } = problemOf(error, null);
    for (const point of points.slice(results.length)) {
      results.push({ parameters: { ...job.parameters, ...point }, problem, ...nothing });
    }
  }
  return results;
}

const nothing = { totalReturn: null, sharpe: null, maxDrawdown: null, trades: 0, outOfSampleReturn: null };

/** One combination; what is wrong with it is told in its place. */
export function sweepPoint(
  strategy: HostedStrategy,
  setup: SimulationSetup,
  given: Record<string, ParameterValue>,
  outOfSampleFrom: number | undefined,
): SweepPoint {
  const { values, problems } = parameterValues(strategy.declared.parameters, given);
  const [wrong] = problems;
  if (wrong) {
    const problem: StrategyProblem = { code: 'parameters', message: wrong.message, at: null, line: null };
    return { parameters: values, problem, ...nothing };
  }
  try {
    const simulation = new Simulation({ ...setup, parameters: values, warmUp: warmUpOf(strategy, values) });
    simulation.run();
    const { first, step, times } = simulation;
    const mark = outOfSampleFrom === undefined ? step + 1 : Math.min(rowAt(times, outOfSampleFrom), step + 1);
    if (mark <= first) {
      const message = 'There are too few bars for this warm-up';
      return { parameters: values, problem: { code: 'data', message, at: null, line: null }, ...nothing };
    }
    const after = mark <= step ? pointFigures(simulation, mark, step + 1) : null;
    return {
      ...{ parameters: values, problem: null, ...pointFigures(simulation, first, mark) },
      outOfSampleReturn: after?.totalReturn ?? null,
    };
  } catch (error) {
    // Without its process there are no more points.
    if (error instanceof HostEnded) throw error;
    return { parameters: values, problem: problemOf(error, null).problem, ...nothing };
  }
}
