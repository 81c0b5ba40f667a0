/** Apart from the schemas: the browser needs these and no zod. */
export const strategyLanguages = ['typescript', 'python'] as const;
export const testKinds = ['backtest', 'sweep', 'walk_forward'] as const;
export type TestKind = (typeof testKinds)[number];
export const testStates = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
/** `skipped`: it could not be tested, which says nothing of the strategy. */
export const verificationStates = ['queued', 'running', 'passed', 'failed', 'skipped'] as const;
export const strategyRunStates = ['running', 'paused', 'stopped', 'failed'] as const;
export const strategySorts = [
  'published_at',
  'total_return',
  'return_30d',
  'return_7d',
  'return_1d',
  'sharpe',
  'max_drawdown',
  'live_time',
] as const;
export type StrategySort = (typeof strategySorts)[number];
export const parameterKinds = ['integer', 'number', 'boolean', 'choice'] as const;
export const mostSweepPoints = 400;
/** Kept of one strategy; the oldest without a name give way. */
export const mostTestsKept = 500;
