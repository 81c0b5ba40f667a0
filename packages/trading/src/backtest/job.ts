import type { Metric } from '../metrics.ts';
import type { Interval, OrderType, Side } from '../port.ts';
import type { Parameters, ParameterValue } from './code/parameters.ts';
import type { ColumnReport, Columns } from './engine/columns.ts';
import type { Hosts } from './hosts/host.ts';

/** What goes into a backtest and what comes out: plain data both, but for the columns. */

export interface MarketRules {
  amountStep: number;
  priceTick: number;
  minAmount: number;
  maxAmount: number | null;
  minNotional: number;
}

export interface BacktestMarket {
  symbol: string;
  base: string;
  quote: string;
  rules: MarketRules;
  columns: Columns;
  /** Shorter bars of the same market, which decide what came first within a bar. */
  finer?: { interval: Interval; columns: Columns };
}

export interface BacktestJob {
  code: string;
  /** The processes in which it may run: never this one, which judges it. */
  hosts: Hosts;
  parameters: Record<string, ParameterValue>;
  /** Of the markets' columns. */
  interval: Interval;
  markets: BacktestMarket[];
  /** Trading begins with the first bar that opens then; bars before it are history. */
  from?: number;
  /** From here on results are also shown by themselves: what was not looked at when the strategy was made. */
  outOfSampleFrom?: number;
  capital: number;
  /** Shares of what is traded. */
  fees: { maker: number; taker: number };
  /** Share of the price, against the order, for what is filled at the market. */
  slippage: number;
  deposits?: { at: number; amount: number }[];
  seed: number;
  /** How many parameter sets were tried before this one; for the deflated Sharpe ratio. */
  tries?: number;
  /** Without the look-ahead and warm-up tests. */
  isUnchecked?: boolean;
  /** Of the strategy's code altogether; 60 seconds when not said. */
  timeLimitMs?: number;
}

export interface Summary {
  from: number;
  to: number;
  bars: number;
  startEquity: number;
  endEquity: number;
  deposits: number;
  totalReturn: Metric;
  cagr: Metric;
  volatility: Metric;
  sharpe: Metric;
  sharpeError: Metric;
  /** The chance that the true ratio is above zero, given how many parameter sets were tried. */
  deflatedSharpe: Metric;
  sortino: Metric;
  /** At most zero; by the end of days, and by bars. */
  maxDrawdown: Metric;
  maxDrawdownByBar: Metric;
  drawdownDays: number;
  isUnderWater: boolean;
  calmar: Metric;
  winRate: Metric;
  profitFactor: Metric;
  expectancy: Metric;
  averageWin: Metric;
  averageLoss: Metric;
  payoff: Metric;
  /** Mean share of the equity that was invested, and share of bars with a position. */
  exposure: Metric;
  timeInMarket: Metric;
  /** Traded value in a day by the equity at its start, mean; a year has 365 of it. */
  turnover: Metric;
  fees: number;
  closedTrades: number;
  openTrades: number;
  /** Of what is still held at the end, at the last close. */
  unrealised: number;
  /** Buying all markets in equal shares at the start and holding, with the same fees. */
  benchmark: Metric;
}

export const exitCauses = ['sell', 'stop', 'take_profit', 'end'] as const;
export type ExitCause = (typeof exitCauses)[number];

export interface Trade {
  symbol: string;
  amount: number;
  entryTime: number;
  entryPrice: number;
  entryReason: string;
  /** Null: still held; then price and result are those of the last close. */
  exitTime: number | null;
  exitPrice: number;
  exitReason: string;
  cause: ExitCause;
  /** Net of fees. */
  result: number;
  /** By what it cost. */
  share: number;
  fees: number;
  bars: number;
}

export interface OrderRecord {
  id: number;
  symbol: string;
  side: Side;
  type: OrderType;
  state: 'open' | 'closed' | 'canceled' | 'expired' | 'rejected';
  /** When it was decided: the close of a bar. */
  time: number;
  /** Null where it is sized when filled. */
  amount: number | null;
  quote: number | null;
  limit: number | null;
  trigger: number | null;
  filled: number;
  price: number | null;
  filledTime: number | null;
  fee: number;
  reason: string;
  /** Why it was rejected, canceled, expired or filled in part. */
  note: string;
}

export interface Check {
  state: 'passed' | 'failed' | 'skipped';
  /** How many runs, or ends of the data, were compared. */
  runs: number;
  /** In words: what was compared, or the first difference. */
  message: string;
  /** When the first difference was decided. */
  at: number | null;
}

export interface StrategyProblem {
  code: 'code' | 'parameters' | 'data' | 'job' | 'error' | 'time_limit';
  message: string;
  /** The bar at which it happened. */
  at: number | null;
  /** In the strategy's code. */
  line: number | null;
  /** From 1, where it cannot be read. */
  column?: number | null;
}

export interface Fingerprint {
  data: string;
  code: string;
  engine: string;
  parameters: string;
  seed: number;
  /** Of orders, trades and equity. */
  result: string;
}

export interface BacktestOutcome {
  state: 'finished' | 'failed';
  /** Of a failed one: why. What was reached before it is still told. */
  problem: StrategyProblem | null;
  parameters: Record<string, ParameterValue>;
  declared: Parameters;
  summary: Summary | null;
  inSample: Summary | null;
  outOfSample: Summary | null;
  /** At most 4,000 points each; highest and lowest are kept. */
  series: { time: number[]; equity: number[]; drawdown: number[]; benchmark: number[] };
  trades: Trade[];
  tradeCount: number;
  orders: OrderRecord[];
  orderCount: number;
  rejectedCount: number;
  /** By month of UTC, `2026-11`. */
  monthly: { month: string; value: number }[];
  /** Of trades by share; twenty steps. */
  distribution: { from: number; to: number; count: number }[];
  /** Bars within which the order of events is not known; those that finer bars decided are not counted. */
  ambiguousBars: number;
  decidedByFinerBars: number;
  checks: { lookAhead: Check; warmUp: Check };
  data: ({ symbol: string } & ColumnReport)[];
  logs: { time: number; text: string }[];
  droppedLogs: number;
  fingerprint: Fingerprint | null;
}

/** What the strategy saw at a bar, for the debugger. */
export interface Inspection {
  bar: number;
  time: number;
  markets: {
    symbol: string;
    open: number;
    high: number;
    low: number;
    close: number;
    volume: number;
    isFresh: boolean;
    position: number;
    entryPrice: number;
    indicators: { name: string; interval: Interval; value: number | null; previous: number | null }[];
    openOrders: OrderRecord[];
  }[];
  equity: number;
  cash: number;
  /** Filled within this bar. */
  fills: {
    symbol: string;
    order: number;
    side: Side;
    amount: number;
    price: number;
    fee: number;
    cause: ExitCause | 'buy';
  }[];
  /** Made at its close. */
  decisions: OrderRecord[];
  logs: string[];
  state: Record<string, unknown>;
  problem: StrategyProblem | null;
}
