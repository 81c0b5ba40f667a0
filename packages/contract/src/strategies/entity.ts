import { z } from 'zod';
import { id, line, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { chartIntervals, exchangeTypes } from '../trading/values.ts';
import {
  mostSweepPoints,
  parameterKinds,
  strategyLanguages,
  testKinds,
  testStates,
  verificationStates,
} from './values.ts';

export * from './values.ts';

const day = z.iso.date();
const share = z.number().min(0).max(0.1);
export const strategySymbol = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9._]{1,30}\/[A-Z0-9._]{1,30}$/, 'Must be a market such as BTC/USDT');

/** What a backtest is made with; `main.strat` keeps the last choice. */
export const testSettings = z.strictObject({
  source: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('exchange'), exchange: z.enum(exchangeTypes) }),
      z.strictObject({
        type: z.literal('file'),
        path: z.string().min(1).max(1_000).describe('A csv or parquet file of the project'),
      }),
    ])
    .default({ type: 'exchange', exchange: 'demo' }),
  symbols: z.array(strategySymbol).min(1, 'Choose a market').max(50).default(['BTC/USDT']),
  timeframe: z.enum(chartIntervals).default('1h'),
  from: day.nullable().default(null).describe('Null: a year before the end'),
  to: day.nullable().default(null).describe('Null: until now'),
  out_of_sample_from: day.nullable().default(null),
  capital: z.number().positive('Must be more than zero').max(1e12).default(10_000),
  maker_fee: share.nullable().default(null).describe('Null: as the exchange has it'),
  taker_fee: share.nullable().default(null),
  slippage: share.default(0.0005),
  uses_finer_bars: z.boolean().default(true).describe('Shorter bars decide what happened first inside of one'),
  deposits: z
    .array(z.strictObject({ at: day, amount: z.number().positive().max(1e12) }))
    .max(1_000)
    .default([]),
  seed: z.int().min(0).max(2_147_483_647).default(1),
});
export type TestSettings = z.infer<typeof testSettings>;

export const parameterValue = z.union([z.number(), z.boolean(), z.string().max(200)]);
export const parameterValues = z
  .record(z.string().max(60), parameterValue)
  .refine((values) => Object.keys(values).length <= 50, 'At most 50 parameters');
export type ParameterValues = z.infer<typeof parameterValues>;

/** The text of a `.strat` file. Its code is a file beside it. */
export const strategyDocument = z.object({
  format: z.literal(1),
  kind: z.literal('strategy'),
  code: z.string().min(1).max(1_000).describe('The path of the code, from the folder of this file'),
  parameters: parameterValues.default({}),
  settings: testSettings.default(testSettings.parse({})),
});
export type StrategyDocument = z.infer<typeof strategyDocument>;

export const strategyParameter = z.object({
  name: z.string(),
  kind: z.enum(parameterKinds),
  label: z.string(),
  help: z.string(),
  default: parameterValue,
  min: z.number().nullable(),
  max: z.number().nullable(),
  step: z.number().nullable(),
  choices: z.array(z.string()).nullable(),
});
export type StrategyParameter = z.infer<typeof strategyParameter>;

/** What its code declares, or why that cannot be read. */
export const strategyDescription = z.object({
  file_id: id,
  code_file_id: id.nullable(),
  code_path: z.string(),
  language: z.enum(strategyLanguages),
  name: z.string(),
  parameters: z.array(strategyParameter),
  problem: z
    .object({ message: z.string(), line: z.int().nullable(), column: z.int().nullable().default(null) })
    .nullable(),
});
export type StrategyDescription = z.infer<typeof strategyDescription>;

/** A figure, or why there is none. */
export const figure = z.object({ value: z.number().nullable(), reason: z.string().nullable() });
export type Figure = z.infer<typeof figure>;

const figures = [
  'total_return',
  'cagr',
  'volatility',
  'sharpe',
  'sharpe_error',
  'deflated_sharpe',
  'sortino',
  'max_drawdown',
  'max_drawdown_by_bar',
  'calmar',
  'win_rate',
  'profit_factor',
  'expectancy',
  'average_win',
  'average_loss',
  'payoff',
  'exposure',
  'time_in_market',
  'turnover',
  'benchmark',
] as const;
export type FigureName = (typeof figures)[number];
export const moment = z.number().describe('Milliseconds since 1970');

export const testSummary = z.object({
  from: moment,
  to: moment,
  bars: z.int(),
  start_equity: z.number(),
  end_equity: z.number(),
  deposits: z.number(),
  figures: z.record(z.enum(figures), figure),
  drawdown_days: z.number(),
  is_under_water: z.boolean(),
  fees: z.number(),
  closed_trades: z.int(),
  open_trades: z.int(),
  unrealised: z.number(),
});
export type TestSummary = z.infer<typeof testSummary>;

export const strategyCheck = z.object({
  state: z.enum(['passed', 'failed', 'skipped']),
  runs: z.int(),
  message: z.string(),
  at: moment.nullable(),
});
export type StrategyCheck = z.infer<typeof strategyCheck>;

export const strategyProblem = z.object({
  code: z.string(),
  message: z.string(),
  at: moment.nullable(),
  line: z.int().nullable(),
});

export const fingerprint = z.object({
  data: z.string(),
  code: z.string(),
  engine: z.string(),
  parameters: z.string(),
  seed: z.int(),
  result: z.string(),
});

export const strategyTrade = z.object({
  symbol: z.string(),
  amount: z.number(),
  entry_time: moment,
  entry_price: z.number(),
  entry_reason: z.string(),
  exit_time: moment.nullable().describe('Null: still held'),
  exit_price: z.number(),
  exit_reason: z.string(),
  cause: z.enum(['sell', 'stop', 'take_profit', 'end']),
  result: z.number().describe('Net of fees'),
  share: z.number().describe('Of what it cost'),
  fees: z.number(),
  bars: z.number(),
});
export type StrategyTrade = z.infer<typeof strategyTrade>;

export const strategyOrder = z.object({
  id: z.int(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  state: z.enum(['open', 'closed', 'canceled', 'expired', 'rejected']),
  time: moment,
  amount: z.number().nullable(),
  quote: z.number().nullable(),
  limit: z.number().nullable(),
  trigger: z.number().nullable(),
  filled: z.number(),
  price: z.number().nullable(),
  filled_time: moment.nullable(),
  fee: z.number(),
  reason: z.string(),
  note: z.string(),
});

export const backtestResult = z.object({
  summary: testSummary.nullable(),
  in_sample: testSummary.nullable(),
  out_of_sample: testSummary.nullable(),
  series: z.object({
    time: z.array(moment),
    equity: z.array(z.number()),
    drawdown: z.array(z.number()),
    benchmark: z.array(z.number()),
  }),
  trades: z.array(strategyTrade),
  trade_count: z.int(),
  orders: z.array(strategyOrder),
  order_count: z.int(),
  rejected_count: z.int(),
  monthly: z.array(z.object({ month: z.string(), value: z.number() })),
  distribution: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
  ambiguous_bars: z.int(),
  decided_by_finer_bars: z.int(),
  checks: z.object({ look_ahead: strategyCheck, warm_up: strategyCheck }),
  data: z.array(
    z.object({
      symbol: z.string(),
      rows: z.int(),
      problem_count: z.int(),
      missing_bars: z.int(),
      zero_volume_bars: z.int(),
      gaps: z.array(z.object({ from: moment, bars: z.int() })),
    }),
  ),
  monte_carlo: z
    .object({
      runs: z.int(),
      total_return: z.object({ p5: z.number(), p50: z.number(), p95: z.number() }),
      max_drawdown: z.object({ p5: z.number(), p50: z.number(), p95: z.number() }),
      loss_probability: z.number(),
    })
    .nullable()
    .describe('The same trades in other orders and samples; null where there are too few'),
  logs: z.array(z.object({ time: moment, text: z.string() })),
  dropped_logs: z.int(),
  fingerprint: fingerprint.nullable(),
});
export type BacktestResult = z.infer<typeof backtestResult>;

export const sweepPoint = z.object({
  parameters: parameterValues,
  problem: z.string().nullable(),
  total_return: z.number().nullable(),
  sharpe: z.number().nullable(),
  max_drawdown: z.number().nullable(),
  trades: z.int(),
  out_of_sample_return: z.number().nullable(),
});
export type SweepPoint = z.infer<typeof sweepPoint>;

export const walkForwardFold = z.object({
  from: moment,
  split: moment,
  to: moment,
  parameters: parameterValues,
  in_sample: figure,
  out_of_sample: figure,
  trades: z.int(),
});
export type WalkForwardFold = z.infer<typeof walkForwardFold>;

/** Of a sweep: which parameters take which values. A walk-forward chooses the best of them in each part. */
export const testPlan = z.strictObject({
  ranges: z
    .record(z.string().max(60), z.array(parameterValue).min(1).max(mostSweepPoints))
    .refine((ranges) => Object.keys(ranges).length > 0, 'Choose a parameter')
    .refine(
      (ranges) => Object.values(ranges).reduce((product, { length }) => product * length, 1) <= mostSweepPoints,
      `At most ${mostSweepPoints} combinations`,
    ),
  constraints: z
    .array(z.strictObject({ less: z.string().max(60), greater: z.string().max(60) }))
    .max(5)
    .optional()
    .describe('Combinations in which the value of `less` is below that of `greater`; others are left out'),
  folds: z.int().min(2).max(24).optional(),
});
export type TestPlan = z.infer<typeof testPlan>;

/** The same once more, with bars that its process gets one by one, each when it has closed. */
export const strategyVerification = z.object({
  state: z.enum(verificationStates),
  message: z.string().nullable(),
  progress: z.number().nullable(),
});
export type StrategyVerification = z.infer<typeof strategyVerification>;

export const strategyTestView = z.object({
  id,
  number: z.int(),
  kind: z.enum(testKinds),
  name: z.string().nullable(),
  state: z.enum(testStates),
  reason: z.string().nullable(),
  progress: z.number().nullable(),
  starter: personSummary.nullable(),
  parameters: parameterValues,
  settings: testSettings,
  plan: testPlan.nullable(),
  summary: testSummary.nullable(),
  verification: strategyVerification.nullable().describe('Whether it decides the same bar by bar; null: not asked for'),
  look_ahead: strategyCheck.shape.state.nullable(),
  fingerprint: z.string().nullable(),
  created_at: time,
  ended_at: time.nullable(),
});
export type StrategyTestView = z.infer<typeof strategyTestView>;

export const strategyTestDetail = strategyTestView.extend({
  code: z.string(),
  problem: strategyProblem.nullable(),
  result: backtestResult.nullable(),
  points: z.array(sweepPoint).nullable(),
  warning: z.string().nullable().describe('About choosing the best of many'),
  folds: z.array(walkForwardFold).nullable(),
});
export type StrategyTestDetail = z.infer<typeof strategyTestDetail>;

export const barInspection = z.object({
  bar: z.int(),
  time: moment,
  markets: z.array(
    z.object({
      symbol: z.string(),
      open: z.number(),
      high: z.number(),
      low: z.number(),
      close: z.number(),
      volume: z.number(),
      is_fresh: z.boolean(),
      position: z.number(),
      entry_price: z.number(),
      indicators: z.array(
        z.object({
          name: z.string(),
          interval: z.string(),
          value: z.number().nullable(),
          previous: z.number().nullable(),
        }),
      ),
      open_orders: z.array(strategyOrder),
    }),
  ),
  equity: z.number(),
  cash: z.number(),
  fills: z.array(
    z.object({
      symbol: z.string(),
      order: z.int(),
      side: z.enum(['buy', 'sell']),
      amount: z.number(),
      price: z.number(),
      fee: z.number(),
      cause: z.string(),
    }),
  ),
  decisions: z.array(strategyOrder),
  logs: z.array(z.string()),
  problem: strategyProblem.nullable(),
});
export type BarInspection = z.infer<typeof barInspection>;

export const newStrategyTest = z.strictObject({
  kind: z.enum(testKinds).default('backtest'),
  name: line(120).optional(),
  parameters: parameterValues.default({}),
  settings: testSettings.default(testSettings.parse({})),
  plan: testPlan.optional(),
  request_id: id,
});
