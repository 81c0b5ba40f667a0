import { intervalMs } from '../../port.ts';
import { checkColumns } from '../engine/columns.ts';
import { IndicatorCache } from '../engine/frame.ts';
import type { SimulationSetup } from '../engine/simulation.ts';
import type { BacktestJob, BacktestOutcome, StrategyProblem } from '../job.ts';
import { lineOf, messageOf, StrategyError } from './load.ts';
import { type ParameterValues, parameterValues } from './parameters.ts';
import type { Declared } from './read-answer.ts';

const mostMarkets = 200;
const defaultTimeLimitMs = 60_000;
export const timeLimitOf = (job: Pick<BacktestJob, 'timeLimitMs'>) => job.timeLimitMs ?? defaultTimeLimitMs;

const refuse = (code: StrategyProblem['code'], message: string): never => {
  throw new StrategyError({ code, message, at: null, line: null });
};

type Checkable = Pick<BacktestJob, 'interval' | 'markets' | 'capital' | 'fees' | 'slippage' | 'deposits' | 'seed'>;

function checkNumbers({ interval, markets, capital, fees, slippage, deposits, seed }: Checkable): void {
  const share = (value: number, most: number) => Number.isFinite(value) && value >= 0 && value <= most;
  if (!intervalMs[interval]) refuse('job', `There is no time frame ${String(interval)}`);
  if (!(capital > 0) || !Number.isFinite(capital)) refuse('job', 'The capital must be above zero');
  if (!share(fees.maker, 0.1) || !share(fees.taker, 0.1)) refuse('job', 'Fees are from 0 to 0.1 (10 %)');
  if (!share(slippage, 0.1)) refuse('job', 'Slippage is from 0 to 0.1 (10 %)');
  if (!Number.isSafeInteger(seed)) refuse('job', 'The seed must be a whole number');
  if (markets.length === 0) refuse('job', 'There is no market');
  if (markets.length > mostMarkets) refuse('job', `There are more than ${mostMarkets} markets`);
  if (new Set(markets.map(({ symbol }) => symbol)).size < markets.length) refuse('job', 'A market is there twice');
  if ((deposits ?? []).some(({ at, amount }) => !Number.isFinite(at) || !Number.isFinite(amount))) {
    refuse('job', 'A deposit is not a number');
  }
  for (const { symbol, rules } of markets) {
    const numbers = [rules.amountStep, rules.priceTick, rules.minAmount, rules.minNotional];
    if (numbers.some((each) => !Number.isFinite(each) || each < 0))
      refuse('job', `${symbol}: its rules are not numbers`);
  }
}

/** Everything is looked at before a strategy runs; what is wrong is thrown as a `StrategyError`. */
export function checkJob(job: Checkable): BacktestOutcome['data'] {
  checkNumbers(job);
  const reports = job.markets.map(({ symbol, columns }) => ({
    symbol,
    ...checkColumns(columns, intervalMs[job.interval]),
  }));
  for (const { symbol, problems, problemCount } of reports) {
    const [first] = problems;
    if (!first) continue;
    const more = problemCount > 1 ? ` (and ${problemCount - 1} more)` : '';
    refuse('data', `${symbol}, row ${first.row}: ${first.message}${more}`);
  }
  for (const { symbol, finer } of job.markets) {
    if (!finer) continue;
    if (!(intervalMs[finer.interval] < intervalMs[job.interval])) {
      refuse('data', `${symbol}: the finer bars are not shorter`);
    }
    const [first] = checkColumns(finer.columns, intervalMs[finer.interval]).problems;
    if (first) refuse('data', `${symbol}, finer bars, row ${first.row}: ${first.message}`);
  }
  return reports;
}

/** What a strategy says of itself, wherever it is evaluated. */
export interface Preparable {
  declared: Declared;
  warmUpFor(values: ParameterValues): number;
}

export function warmUpOf({ declared, warmUpFor }: Preparable, values: ParameterValues): number {
  const warmUp = declared.warmUp ?? warmUpFor(values);
  if (!(warmUp >= 0)) refuse('code', `warmUp is ${warmUp}`);
  return Math.ceil(warmUp);
}

/** All that a pass starts from but the strategy itself. */
export function prepare(
  job: Checkable & Pick<BacktestJob, 'parameters' | 'from'>,
  strategy: Preparable,
): SimulationSetup {
  const { declared } = strategy;
  const { values, problems } = parameterValues(declared.parameters, job.parameters);
  if (problems.length > 0) refuse('parameters', problems.map(({ message }) => message).join('. '));
  const wanted = declared.markets;
  if (!(job.markets.length >= wanted.min && job.markets.length <= wanted.max)) {
    const range = wanted.min === wanted.max ? `${wanted.min}` : `${wanted.min} to ${wanted.max}`;
    refuse(
      'job',
      `The strategy is for ${range} ${range === '1' ? 'market' : 'markets'}, there are ${job.markets.length}`,
    );
  }
  for (const interval of declared.timeframes) {
    if (!(intervalMs[interval] >= intervalMs[job.interval])) {
      refuse('job', `The strategy reads bars of ${interval}: the bars of this run are longer`);
    }
  }
  const { interval, markets, capital, fees, slippage, deposits, seed, from } = job;
  return {
    ...{ parameters: values, interval, markets, capital, fees, slippage, seed },
    ...(deposits ? { deposits } : {}),
    ...{ warmUp: warmUpOf(strategy, values), from: from ?? 0, cache: new IndicatorCache() },
  };
}

/** What a strategy threw, with where. */
export function problemOf(error: unknown, at: number | null): StrategyError {
  if (error instanceof StrategyError) {
    return error.problem.at === null && at !== null ? new StrategyError({ ...error.problem, at }) : error;
  }
  const thrown = messageOf(error);
  const message = /Maximum call stack/.test(thrown)
    ? 'The strategy calls itself without end'
    : /Array buffer allocation failed/.test(thrown)
      ? 'The strategy needs more memory than it may take'
      : thrown;
  return new StrategyError({ code: 'error', message, at, line: lineOf(error) });
}
