import type { BacktestJob, StrategyProblem } from './job.ts';
import type { ParameterValue } from './parameters.ts';

export interface SweepPoint {
  parameters: Record<string, ParameterValue>;
  problem: StrategyProblem | null;
  totalReturn: number | null;
  sharpe: number | null;
  maxDrawdown: number | null;
  trades: number;
  /** Of the part after the job's mark. */
  outOfSampleReturn: number | null;
}
export type SweepRanges = Record<string, readonly ParameterValue[]>;
export type SweepJob = Omit<BacktestJob, 'parameters'> & {
  parameters: Record<string, ParameterValue>;
  ranges: SweepRanges;
};
