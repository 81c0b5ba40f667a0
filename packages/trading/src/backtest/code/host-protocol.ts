import type { Interval } from '../../port.ts';
import type { Setup } from '../engine/setup.ts';
import type { KeptBars } from '../hosts/host.ts';
import type { MarketRules, StrategyProblem } from '../job.ts';

/** What a strategy is run over: plain data. */
export interface RunOrder {
  do: 'run';
  code: string;
  settings: Pick<
    Setup,
    'interval' | 'capital' | 'fees' | 'slippage' | 'deposits' | 'seed' | 'parameters' | 'from' | 'warmUp'
  >;
  markets: {
    symbol: string;
    base: string;
    quote: string;
    rules: MarketRules;
    bars: KeptBars;
    finer: { interval: Interval; bars: KeptBars } | null;
  }[];
  /** How many there are of all markets together. */
  steps: number;
  end: number | null;
  /** Beside the calls: columns of its own, or what it saw at its last bar. */
  wants: 'columns' | 'seen' | null;
}

export interface SeenLine {
  market: number;
  interval: Interval;
  name: string;
  value: number | null;
  previous: number | null;
}
/** Shown to its author only: no result is computed from it. */
export interface Seen {
  lines: SeenLine[];
  state: Record<string, unknown>;
}

/** Behind it: the calls as rows of doubles, then the columns. */
export interface RunAnswer {
  problem: StrategyProblem | null;
  /** The last step that it came to. */
  step: number;
  calls: number;
  reasons: string[];
  logs: [step: number, text: string][];
  dropped: number;
  own: { market: number; interval: Interval; name: string; rows: number }[];
  seen: Seen | null;
}

/** The same with bars that come one by one: these are the numbers of all that will have come. */
export interface FollowOrder extends Pick<RunOrder, 'code' | 'settings' | 'steps'> {
  do: 'follow';
  markets: (Omit<RunOrder['markets'][number], 'bars' | 'finer'> & { finer: Interval | null })[];
}

/** After the first bars, and after each step. Behind it: the calls of the step. */
export interface StepAnswer {
  problem: StrategyProblem | null;
  calls: number;
  /** Those that are new. */
  reasons: string[];
  logs: [step: number, text: string][];
  dropped: number;
}
