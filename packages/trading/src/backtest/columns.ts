import type { Candles } from '../port.ts';

/** Sorted by the time at which each bar opens. */
export type Columns = Candles;

export interface ColumnProblem {
  row: number;
  time: number;
  code:
    | 'empty'
    | 'lengths'
    | 'not_a_number'
    | 'duplicate'
    | 'disorder'
    | 'high_below_low'
    | 'out_of_range'
    | 'not_positive'
    | 'negative_volume'
    | 'misaligned';
  message: string;
}
export interface ColumnGap {
  /** When the first missing bar would have opened. */
  from: number;
  bars: number;
}
export interface ColumnReport {
  rows: number;
  /** What makes data unusable; the first 20. */
  problems: ColumnProblem[];
  problemCount: number;
  /** Missing bars: allowed and told; the longest 20. */
  gaps: ColumnGap[];
  missingBars: number;
  /** Bars in which nothing was traded: allowed and told. */
  zeroVolumeBars: number;
}
