import type { BacktestResult, ParameterValues, TestPlan, WalkForwardFold } from '@atoll/contract';
import type { Interval } from '@atoll/trading';
import type { Parameters } from '@atoll/trading/backtest/code/parameters';
import type { Language } from '@atoll/trading/backtest/hosts/host';
import type { BacktestOutcome, Inspection, MarketRules, StrategyProblem } from '@atoll/trading/backtest/job';
import type { LiveAnswer, LiveBar, LiveFill, LiveState } from '@atoll/trading/backtest/live/live-types';
import type { SweepPoint } from '@atoll/trading/backtest/tries/sweep';
import type { Verification } from '@atoll/trading/backtest/verify';

/** Where the bars of one market come from. What is not the demo's lies in a file that the process can read. */
export type BarSource =
  | { type: 'demo'; seed: number }
  /** Six columns of doubles, one after the other. */
  | { type: 'columns'; path: string }
  | { type: 'table'; path: string; format: 'csv' | 'parquet'; isOneOfSeveral: boolean };

export interface MarketTask {
  symbol: string;
  base: string;
  quote: string;
  rules: MarketRules;
  bars: BarSource;
  finer: { interval: Interval; bars: BarSource } | null;
}

export interface TestTask {
  code: string;
  language: Language;
  parameters: ParameterValues;
  interval: Interval;
  markets: MarketTask[];
  from: number;
  /** Bars that close after it are not there. */
  until: number;
  outOfSampleFrom: number | null;
  capital: number;
  fees: { maker: number; taker: number };
  slippage: number;
  deposits: { at: number; amount: number }[];
  seed: number;
  tries: number;
}

export type Task =
  | { kind: 'describe'; code: string; language: Language }
  | { kind: 'backtest'; test: TestTask }
  | { kind: 'verify'; test: TestTask }
  | { kind: 'inspect'; test: TestTask; time: number }
  /** `part` of the combinations: several processes divide them. */
  | { kind: 'sweep'; test: TestTask; plan: TestPlan; part: { index: number; of: number } }
  | { kind: 'walk_forward'; test: TestTask; plan: TestPlan }
  | {
      kind: 'advance';
      test: TestTask;
      runId: string;
      state: LiveState | null;
      bars: LiveBar[];
      fills: LiveFill[];
      /** Decisions of which nothing more will be filled. */
      ended: string[];
    };

export interface ToWorker {
  task: Task;
  /** The processes that people's code may run in, each once; none for a live step in TypeScript. */
  hosts: { language: Language; folder: string; names: string[]; cpuSeconds: number } | null;
}

export interface Answers {
  describe: { parameters: Parameters | null; problem: StrategyProblem | null };
  backtest: { outcome: BacktestOutcome; monteCarlo: BacktestResult['monte_carlo'] };
  verify: Verification;
  inspect: { inspection: Inspection };
  sweep: { points: SweepPoint[] };
  walk_forward: { folds: WalkForwardFold[]; warning: string | null };
  advance: { answer: LiveAnswer; state: LiveState };
}
export type AnswerOf<Each extends Task> = Answers[Each['kind']];

export type FromWorker =
  | { type: 'progress'; progress: number }
  | { type: 'done'; answer: Answers[Task['kind']] }
  /** What is told to who started it; anything else is a fault of ours. */
  | { type: 'refused'; problem: StrategyProblem }
  | { type: 'failed'; error: string };
