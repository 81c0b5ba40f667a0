import type { OrderType, Side } from '../port.ts';
import type { BacktestJob } from './job.ts';

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
      /** The exits of a purchase, set when it is filled. */
      stop: number | null;
      takeProfit: number | null;
      reason: string;
    }
  | { kind: 'cancel'; id: string; time: number; symbol: string; order: string; reason: string };

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
  /** Of the decision. */
  order: string;
  amount: number;
  price: number;
  fee: number;
  time: number;
  /** Nothing more will be filled. */
  isFinal: boolean;
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
  positions: Record<string, { amount: number; cost: number; since: number }>;
  openOrders: (Extract<Decision, { kind: 'place' }> & { number: number; filled: number })[];
}
export type LiveJob = Pick<
  BacktestJob,
  'code' | 'parameters' | 'interval' | 'markets' | 'capital' | 'fees' | 'slippage' | 'seed'
> & {
  runId: string;
};
