import { z } from 'zod';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { publication } from '../publications/entity.ts';
import { chartIntervals, environments, exchangeTypes } from '../trading/values.ts';
import { figure, moment, parameterValues, strategyCheck, strategyVerification, testSettings } from './entity.ts';
import { strategyRunStates } from './values.ts';

export const strategyDecision = z.object({
  id: z.string(),
  bar: moment,
  kind: z.enum(['place', 'cancel']),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']).nullable(),
  type: z.string().nullable(),
  amount: z.number().nullable(),
  price: z.number().nullable(),
  why: z.string(),
  state: z.enum(['decided', 'ordered', 'refused']),
  reason: z.string().nullable(),
  order_id: id.nullable(),
  at: time,
});
export type StrategyDecision = z.infer<typeof strategyDecision>;

/** Its owner's own, beside those of the connection. */
export const runLimits = z.strictObject({
  max_order: z.number().positive().max(1e12).optional().describe('Of one purchase, in the quote'),
  max_loss: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('A share of its capital: when so much is lost, it is stopped and sells what it holds'),
});
export type RunLimits = z.infer<typeof runLimits>;

export const strategyRunView = z.object({
  id,
  file_id: id.nullable().describe('Null: a copy of a published strategy'),
  copy_of: z.object({ title: z.string(), slug: z.string().nullable() }).nullable(),
  limits: runLimits,
  state: z.enum(strategyRunStates),
  reason: z.string().nullable(),
  environment: z.enum(environments),
  connection_id: id.nullable(),
  connection_label: z.string(),
  owner: personSummary,
  is_yours: z.boolean(),
  parameters: parameterValues,
  settings: testSettings,
  capital: z.number(),
  equity: z.number().nullable().describe('Cash and what it holds, at the last bar'),
  positions: z.array(z.object({ symbol: z.string(), amount: z.number(), cost: z.number() })),
  last_bar: moment.nullable(),
  next_decision: moment.nullable().describe('When its next bar closes; null where it does not run'),
  refused_count: z.int().describe('Decisions that its limits or the exchange refused'),
  started_at: time,
  ended_at: time.nullable(),
});
export type StrategyRunView = z.infer<typeof strategyRunView>;

/** What a run made, beside a backtest of the same code, parameters and bars. */
export const runComparison = z.object({
  from: moment,
  to: moment,
  series: z.object({ time: z.array(moment), live: z.array(z.number()), backtest: z.array(z.number()) }),
  live: z.object({ total_return: figure, max_drawdown: figure, orders: z.int() }),
  backtest: z.object({ total_return: figure, max_drawdown: figure, orders: z.int() }),
  price_difference: figure.describe('Mean of how much worse live prices were, as a share; of orders that both made'),
  same_orders: z.int(),
  only_live: z.int(),
  only_backtest: z.int(),
});
export type RunComparison = z.infer<typeof runComparison>;

/** A card of the catalogue: what a published strategy made in its backtest, and apart from that, live. */
export const publishedStrategy = z.object({
  publication,
  symbols: z.array(z.string()),
  timeframe: z.enum(chartIntervals),
  from: moment,
  to: moment,
  returns: z
    .object({ '1d': figure, '7d': figure, '30d': figure, max: figure })
    .describe('Of the backtest, up to its end'),
  sharpe: figure,
  sharpe_error: figure,
  max_drawdown: figure,
  trades: z.int(),
  chart: z.array(z.number()).describe('Equity of the backtest, from 1'),
  look_ahead: strategyCheck.shape.state,
  verification: strategyVerification.nullable(),
  live: z.object({ environment: z.enum(environments), since: time, value: figure.describe('Its return') }).nullable(),
});
export type PublishedStrategy = z.infer<typeof publishedStrategy>;

const returnWindow = z.object({ value: figure, chart: z.array(z.tuple([moment, z.number()])) });
const returnWindows = z.object({ '1d': returnWindow, '7d': returnWindow, '30d': returnWindow, max: returnWindow });
export type ReturnWindows = z.infer<typeof returnWindows>;

/** All that is known of a published strategy, for its page. */
export const publishedStrategyDetail = publishedStrategy.extend({
  backtest_returns: returnWindows,
  live_returns: returnWindows.nullable(),
  weights: z
    .array(z.object({ asset: z.string(), category: z.string(), share: z.number() }))
    .nullable()
    .describe('What its live run holds, as shares of the equity'),
  assets: z.array(z.object({ asset: z.string(), category: z.string(), price: z.number().nullable() })),
  follower_count: z.int(),
  is_following: z.boolean(),
  exchange: z.enum(exchangeTypes),
  is_copyable: z.boolean().describe('False where its bars are from a file: there is nothing to trade it on'),
});
export type PublishedStrategyDetail = z.infer<typeof publishedStrategyDetail>;

export const strategySignal = z.object({
  id: z.string(),
  at: time,
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  price: z.number().nullable(),
  share: z.number().nullable().describe('Of its equity'),
  why: z.string(),
});
export type StrategySignal = z.infer<typeof strategySignal>;
