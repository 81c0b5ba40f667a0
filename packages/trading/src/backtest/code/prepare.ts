import { type Interval, intervalMs } from '../../port.ts';
import { checkColumns } from '../engine/columns.ts';
import type { SimulationSetup } from '../engine/simulation.ts';
import type { BacktestJob, BacktestOutcome, StrategyProblem } from '../job.ts';
import { type LoadedStrategy, lineOf, messageOf, StrategyError } from './load.ts';
import { loadJob } from './load-job.ts';
import { type ParameterValues, parameterValues } from './parameters.ts';

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

export interface Prepared {
  loaded: LoadedStrategy;
  setup: SimulationSetup;
}

export function prepare(
  job: Checkable & Pick<BacktestJob, 'code' | 'python' | 'parameters' | 'from'>,
  loaded = loadJob(job),
): Prepared {
  const { definition, realm } = loaded;
  const { values, problems } = parameterValues(definition.parameters ?? {}, job.parameters);
  if (problems.length > 0) refuse('parameters', problems.map(({ message }) => message).join('. '));
  const wanted = definition.markets ?? { min: 1, max: 1 };
  if (!(job.markets.length >= wanted.min && job.markets.length <= wanted.max)) {
    const range = wanted.min === wanted.max ? `${wanted.min}` : `${wanted.min} to ${wanted.max}`;
    refuse(
      'job',
      `The strategy is for ${range} ${range === '1' ? 'market' : 'markets'}, there are ${job.markets.length}`,
    );
  }
  for (const interval of definition.timeframes ?? []) {
    if (!(intervalMs[interval as Interval] >= intervalMs[job.interval])) {
      refuse('job', `The strategy reads bars of ${interval}: the bars of this run are longer`);
    }
  }
  const warmUp = warmUpOf(loaded, values);
  const { interval, markets, capital, fees, slippage, deposits, seed, from } = job;
  return {
    loaded,
    setup: {
      ...{ load: loaded.fresh, parameters: values, interval, capital, fees, slippage, deposits, seed, warmUp },
      markets: markets.map((market) => ({ ...market, columns: realm.columnsOf(market.columns) })),
      ...{ from: from ?? 0, cache: new realm.engine.IndicatorCache() },
      ...(loaded.drive ? { drive: loaded.drive } : {}),
    },
  };
}

/** `isOutside`: not within what is guarded already. */
export function warmUpOf(
  { definition, guard, realm }: LoadedStrategy,
  values: ParameterValues,
  isOutside = true,
): number {
  const { warmUp } = definition;
  let bars: unknown = 0;
  try {
    const compute = () => (typeof warmUp === 'function' ? warmUp(realm.copy(values)) : (warmUp ?? 0));
    bars = isOutside && typeof warmUp === 'function' ? guard(compute, 1_000) : compute();
  } catch (error) {
    throw problemOf(error, null);
  }
  if (typeof bars !== 'number' || !Number.isFinite(bars) || bars < 0) refuse('code', `warmUp is ${String(bars)}`);
  return Math.ceil(bars as number);
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
