import type { ParameterValues } from '../code/parameters.ts';
import type { BacktestJob, BacktestMarket } from '../job.ts';
import type { IndicatorCache } from './frame.ts';
import type { StrategyDefinition } from './strategy.ts';

/** What one pass of a strategy over bars starts from. */
export type Setup = Pick<BacktestJob, 'interval' | 'capital' | 'fees' | 'slippage' | 'deposits' | 'seed'> & {
  /** Evaluates the strategy again for each pass; absent where a host runs it. */
  load?: () => StrategyDefinition;
  parameters: ParameterValues;
  markets: readonly BacktestMarket[];
  /** The time from which on it trades; with fewer bars before it than the warm-up, later. */
  from: number;
  warmUp: number;
  cache: IndicatorCache;
  /** Orders decided before this step are not told one by one. */
  recordFrom?: number;
  /** Of bars that come one by one: how many there can be. */
  room?: number;
  /** Where the equity is written, so that several runs can share it. */
  equity?: Float64Array;
  state?: Record<string, unknown>;
};
