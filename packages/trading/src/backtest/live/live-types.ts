import type { OrderType, Side } from '../../port.ts';
import type { Hosts } from '../hosts/host.ts';
import type { BacktestJob } from '../job.ts';

/** A decision of a live run. Its id is the same whenever it is made again from the same bar. */
export type Decision =
  | {
      kind: 'place';
      id: string;
      time: number;
      symbol: string;
      side: Side;
      type: OrderType;
      /** In the base, cut to the market's step. */
      amount: number;
      price: number | null;
      stopPrice: number | null;
      reason: string;
    }
  | { kind: 'cancel'; id: string; time: number; symbol: string; order: string; reason: string };
export type Placing = Extract<Decision, { kind: 'place' }>;

export interface LiveBar {
  symbol: string;
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
export interface LiveFill {
  /** The id of the decision. */
  order: string;
  amount: number;
  price: number;
  /** In the quote. */
  fee: number;
  time: number;
}
export interface LiveRevision {
  symbol: string;
  time: number;
  message: string;
}
export interface LiveAnswer {
  decisions: Decision[];
  logs: string[];
  revisions: LiveRevision[];
}
/** What is stored between restarts: plain data. */
export interface LiveState {
  runId: string;
  lastTime: number | null;
  cash: number;
  sequence: number;
  random: number;
  state: Record<string, unknown>;
  orders: LiveOrder[];
  lots: {
    symbol: string;
    amount: number;
    price: number;
    fee: number;
    time: number;
    stop: number | null;
    takeProfit: number | null;
    reason: string;
    order: string;
  }[];
}
export interface LiveOrder {
  placing: Placing;
  filled: number;
  stop: number | null;
  takeProfit: number | null;
  /** Of an exit: the purchase that it ends. */
  exitOf: string | null;
  /** It may still be filled before the cancellation arrives: kept until the exchange says how it ended. */
  isCanceled: boolean;
  /** How many more bars may fill it; null: until it is canceled. */
  barsLeft: number | null;
}
export type LiveJob = Pick<
  BacktestJob,
  'code' | 'parameters' | 'interval' | 'markets' | 'capital' | 'fees' | 'slippage' | 'seed'
> & {
  runId: string;
  /** Null: it is evaluated in this process, whose decisions are held to the limits by another. */
  hosts: Hosts | null;
  /** Of the strategy's code at one bar. */
  timeLimitMs?: number;
};
