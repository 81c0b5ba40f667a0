import type { Candles } from '../../port.ts';

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

const listed = 20;
/** No sum of a bar's values below it is infinite. */
const largest = 1e300;

/** Everything that makes bars unusable, and what is only worth knowing. */
export function checkColumns(columns: Columns, intervalMs: number): ColumnReport {
  const { time, open, high, low, close, volume } = columns;
  const rows = time.length;
  const report: ColumnReport = { rows, problems: [], problemCount: 0, gaps: [], missingBars: 0, zeroVolumeBars: 0 };
  const add = (row: number, code: ColumnProblem['code'], message: string) => {
    report.problemCount++;
    if (report.problems.length < listed) report.problems.push({ row, time: time[row] ?? Number.NaN, code, message });
  };
  if ([open, high, low, close, volume].some((column) => column.length !== rows)) {
    add(0, 'lengths', 'The columns have different lengths');
    return report;
  }
  if (rows === 0) add(0, 'empty', 'There are no bars');
  let before = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row++) {
    const t = time[row] as number;
    const o = open[row] as number;
    const h = high[row] as number;
    const l = low[row] as number;
    const c = close[row] as number;
    const v = volume[row] as number;
    const isPlain = l > 0 && l <= o && l <= c && h >= o && h >= c && h < largest && v > 0 && v < largest;
    // Nearly all bars: a value that is missing is not a number, and fails every comparison.
    if (isPlain && t - before === intervalMs) {
      before = t;
      continue;
    }
    // One comparison in the usual case: what is not a number makes the sum none either.
    if (!Number.isFinite(t + o + h + l + c + v)) add(row, 'not_a_number', 'A value is missing or not a number');
    else if (h < l) add(row, 'high_below_low', `The high ${h} is below the low ${l}`);
    else if (h < o || h < c || l > o || l > c) add(row, 'out_of_range', 'Open or close lies outside of high and low');
    else if (l <= 0) add(row, 'not_positive', `The price ${l} is not above zero`);
    else if (v < 0) add(row, 'negative_volume', `The volume is ${v}`);
    else if (t - before !== intervalMs && t % intervalMs !== 0)
      add(row, 'misaligned', 'The time is not the start of a bar');
    if (v === 0) report.zeroVolumeBars++;
    if (t === before) add(row, 'duplicate', 'The same time is there twice');
    else if (t < before) add(row, 'disorder', 'The time is before that of the bar above');
    else if (row > 0 && t - before > intervalMs) {
      const bars = Math.round((t - before) / intervalMs) - 1;
      report.missingBars += bars;
      report.gaps.push({ from: before + intervalMs, bars });
      if (report.gaps.length > 4 * listed) keepLongest(report);
    }
    before = t;
  }
  keepLongest(report);
  return report;
}

function keepLongest(report: ColumnReport): void {
  report.gaps = report.gaps
    .sort((a, b) => b.bars - a.bars || a.from - b.from)
    .slice(0, listed)
    .sort((a, b) => a.from - b.from);
}

/** The same memory as an array of this world: the compiler tells those of each strategy's world apart. */
export const viewOf = (values: Float64Array): Float64Array =>
  new Float64Array(values.buffer as ArrayBuffer, values.byteOffset, values.length);

/** The first row that opens at or after a time. */
export function rowAt(time: Float64Array, at: number): number {
  let [from, to] = [0, time.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((time[middle] as number) < at) from = middle + 1;
    else to = middle;
  }
  return from;
}
