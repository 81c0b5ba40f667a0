import type { Columns } from './columns.ts';

/**
 * Indicators over a whole column at once, each value of what is at or before its row. NaN until there are enough rows, and
 * NaN in the input (an indicator of an indicator) only puts off the start.
 */

const column = (length: number) => new Float64Array(length).fill(Number.NaN);
const firstNumber = (values: Float64Array) => {
  let row = 0;
  while (row < values.length && Number.isNaN(values[row])) row++;
  return row;
};

/**
 * Means of the last `length` values. A running sum drifts and depends on where the data begins; here each sum has two parts,
 * cut where the row plus `phase` is a multiple of the length, so that the same bars give the same bits.
 */
export function sma(values: Float64Array, length: number, phase = 0): Float64Array {
  const means = new Float64Array(values.length);
  const begin = firstNumber(values);
  const ready = begin + length - 1;
  means.fill(Number.NaN, 0, ready);
  const tail = new Float64Array(length + 1);
  for (let row = begin; row < values.length; ) {
    let at = (row + phase) % length;
    const end = Math.min(row + length - at, values.length);
    let head = 0;
    for (; row < end && row < ready; row++, at++) head += values[row] as number;
    for (; row < end; row++) {
      head += values[row] as number;
      at++;
      means[row] = (head + (tail[at] as number)) / length;
    }
    // The block is full: what is left of it when the next one has some.
    const least = Math.max(length - (row - begin), 0);
    for (let back = length - 1, from = row - 1, sum = 0; back >= least; back--, from--) {
      sum += values[from] as number;
      tail[back] = sum;
    }
  }
  return means;
}

export function ema(values: Float64Array, length: number): Float64Array {
  return smooth(values, length, 2 / (length + 1));
}

/** Begins with the mean of the first values. */
function smooth(values: Float64Array, length: number, weight: number): Float64Array {
  const result = column(values.length);
  const begin = firstNumber(values);
  if (values.length - begin < length) return result;
  let value = 0;
  for (let row = begin; row < begin + length; row++) value += values[row] as number;
  value /= length;
  result[begin + length - 1] = value;
  for (let row = begin + length; row < values.length; row++) {
    value += weight * ((values[row] as number) - value);
    result[row] = value;
  }
  return result;
}

export function rsi(values: Float64Array, length: number): Float64Array {
  const { up, down } = rises(values, length);
  for (let row = 0; row < up.length; row++) up[row] = strength(up[row] as number, down[row] as number);
  return up;
}
/** A price that never moved is neither strong nor weak. */
const strength = (up: number, down: number) => (up + down === 0 ? 50 : (100 * up) / (up + down));

function rises(values: Float64Array, length: number): { up: Float64Array; down: Float64Array } {
  const ups = column(values.length);
  const downs = column(values.length);
  for (let row = firstNumber(values) + 1; row < values.length; row++) {
    const change = (values[row] as number) - (values[row - 1] as number);
    ups[row] = change > 0 ? change : 0;
    downs[row] = change < 0 ? -change : 0;
  }
  return { up: smooth(ups, length, 1 / length), down: smooth(downs, length, 1 / length) };
}

export function atr(columns: Columns, length: number): Float64Array {
  const ranges = new Float64Array(columns.high.length);
  for (let row = 0; row < ranges.length; row++) ranges[row] = rangeAt(columns, row);
  return smooth(ranges, length, 1 / length);
}
function rangeAt({ high, low, close }: Columns, row: number): number {
  const before = row > 0 ? (close[row - 1] as number) : (close[row] as number);
  return Math.max(high[row] as number, before) - Math.min(low[row] as number, before);
}

/** Of the last values themselves (by their number, not one less), as bands are drawn. */
export function standardDeviation(values: Float64Array, length: number, phase = 0): Float64Array {
  const means = sma(values, length, phase);
  for (let row = 0; row < means.length; row++) {
    const mean = means[row] as number;
    if (Number.isNaN(mean)) continue;
    let sum = 0;
    for (let back = row - length + 1; back <= row; back++) {
      const distance = (values[back] as number) - mean;
      sum += distance * distance;
    }
    means[row] = Math.sqrt(sum / length);
  }
  return means;
}

export const highest = (values: Float64Array, length: number): Float64Array => extreme(values, length, 1);
export const lowest = (values: Float64Array, length: number): Float64Array => extreme(values, length, -1);

/** A queue of the rows that can still become the extreme: each row enters and leaves once. */
function extreme(values: Float64Array, length: number, sign: 1 | -1): Float64Array {
  const result = column(values.length);
  const begin = firstNumber(values);
  const rows = new Int32Array(values.length);
  let [head, tail] = [0, 0];
  for (let row = begin; row < values.length; row++) {
    const value = sign * (values[row] as number);
    while (tail > head && sign * (values[rows[tail - 1] as number] as number) <= value) tail--;
    rows[tail++] = row;
    if ((rows[head] as number) <= row - length) head++;
    if (row - begin + 1 >= length) result[row] = values[rows[head] as number] as number;
  }
  return result;
}

export function momentum(values: Float64Array, length: number): Float64Array {
  const result = column(values.length);
  for (let row = length; row < values.length; row++) {
    result[row] = (values[row] as number) / (values[row - length] as number) - 1;
  }
  return result;
}

export function combine(a: Float64Array, b: Float64Array, weight: number): Float64Array {
  const result = new Float64Array(a.length);
  for (let row = 0; row < a.length; row++) result[row] = (a[row] as number) + weight * (b[row] as number);
  return result;
}

/** The value of a row that came after the others, to the bit what it is in a whole column. */
export type Next = (
  row: number,
  values: Float64Array,
  before: Float64Array,
  phase: (length: number) => number,
) => number;

const lastOf = (values: Float64Array) => values[values.length - 1] as number;

/** Of what looks back so many rows and no further. */
export const nextWithin =
  (rows: number, compute: (values: Float64Array, phase: (length: number) => number) => Float64Array): Next =>
  (row, values, _before, phase) => {
    const from = Math.max(row - rows + 1, 0);
    return lastOf(compute(values.subarray(from, row + 1), (length) => (phase(length) + from) % length));
  };

/** Of what goes on from its last value. */
function nextSmooth(weight: number, valueAt: (row: number) => number, whole: () => Float64Array) {
  return (row: number, before: Float64Array): number => {
    const last = row > 0 ? (before[row - 1] as number) : Number.NaN;
    return Number.isNaN(last) ? lastOf(whole()) : last + weight * (valueAt(row) - last);
  };
}
export const nextEma =
  (length: number): Next =>
  (row, values, before) =>
    nextSmooth(
      2 / (length + 1),
      (at) => values[at] as number,
      () => ema(values.subarray(0, row + 1), length),
    )(row, before);
export const nextAtr =
  (length: number, columns: () => Columns): Next =>
  (row, _values, before) =>
    nextSmooth(
      1 / length,
      (at) => rangeAt(columns(), at),
      () => atr(columns(), length),
    )(row, before);
export function nextRsi(length: number): Next {
  let [known, up, down] = [-1, Number.NaN, Number.NaN];
  return (row, values) => {
    if (known !== row - 1 || Number.isNaN(up)) {
      const parts = rises(values.subarray(0, row + 1), length);
      [up, down] = [lastOf(parts.up), lastOf(parts.down)];
    } else {
      const change = (values[row] as number) - (values[row - 1] as number);
      up += (1 / length) * ((change > 0 ? change : 0) - up);
      down += (1 / length) * ((change < 0 ? -change : 0) - down);
    }
    known = row;
    return strength(up, down);
  };
}
export const nextCombined =
  (a: () => Float64Array, b: () => Float64Array, weight: number, divisor = 1): Next =>
  (row) =>
    ((a()[row] as number) + weight * (b()[row] as number)) / divisor;
