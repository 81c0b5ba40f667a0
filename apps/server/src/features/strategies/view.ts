import type {
  BacktestResult,
  PersonSummary,
  StrategyParameter,
  StrategyTestView,
  SweepPoint as SweepPointView,
  TestSummary,
} from '@atoll/contract';
import type { Metric } from '@atoll/trading';
import type { Parameters } from '@atoll/trading/backtest/code/parameters';
import type { BacktestOutcome, Summary } from '@atoll/trading/backtest/job';
import type { SweepPoint } from '@atoll/trading/backtest/tries/sweep';
import type { TestRow } from './table.ts';

/** As the contract names things. Not for objects whose keys people chose. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeKeys(each),
    ]),
  );
}

const isMetric = (value: unknown): value is Metric => typeof value === 'object' && value !== null && 'value' in value;

export function viewSummary(summary: Summary): TestSummary {
  const figures: Record<string, { value: number | null; reason: string | null }> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(snakeKeys(summary) as Record<string, unknown>)) {
    if (isMetric(value)) figures[key] = { value: value.value, reason: value.reason ?? null };
    else rest[key] = value;
  }
  return { ...rest, figures } as TestSummary;
}

export function viewOutcome(outcome: BacktestOutcome, monteCarlo: BacktestResult['monte_carlo']): BacktestResult {
  const { parameters: _parameters, declared: _declared, problem: _problem, state: _state, ...rest } = outcome;
  return {
    ...(snakeKeys(rest) as BacktestResult),
    summary: outcome.summary && viewSummary(outcome.summary),
    in_sample: outcome.inSample && viewSummary(outcome.inSample),
    out_of_sample: outcome.outOfSample && viewSummary(outcome.outOfSample),
    monte_carlo: monteCarlo,
  };
}

export const viewParameters = (parameters: Parameters): StrategyParameter[] =>
  Object.entries(parameters).map(([name, parameter]) => {
    const isNumber = parameter.kind === 'integer' || parameter.kind === 'number';
    return {
      name,
      kind: parameter.kind,
      label: parameter.label ?? name,
      help: parameter.help ?? '',
      default: parameter.default,
      min: isNumber ? parameter.min : null,
      max: isNumber ? parameter.max : null,
      step: isNumber ? (parameter.step ?? null) : null,
      choices: parameter.kind === 'choice' ? [...parameter.options] : null,
    };
  });

export const viewVerification = (
  { verification: state, verificationMessage: message }: Pick<TestRow, 'verification' | 'verificationMessage'>,
  progress: number | null = null,
): StrategyTestView['verification'] => state && { state, message, progress };

export const viewTest = (
  row: TestRow,
  people: Map<string, PersonSummary>,
  progress: number | null = null,
  verified: number | null = null,
): StrategyTestView => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  name: row.name,
  state: row.state,
  reason: row.reason,
  progress,
  starter: (row.starterId && people.get(row.starterId)) || null,
  parameters: row.parameters,
  settings: row.settings,
  plan: row.plan,
  summary: row.summary,
  verification: viewVerification(row, verified),
  look_ahead: row.lookAhead,
  fingerprint: row.fingerprint,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});

export const viewPoint = ({ problem, ...point }: SweepPoint): SweepPointView => ({
  parameters: point.parameters,
  problem: problem?.message ?? null,
  total_return: point.totalReturn,
  sharpe: point.sharpe,
  max_drawdown: point.maxDrawdown,
  trades: point.trades,
  out_of_sample_return: point.outOfSampleReturn,
});
