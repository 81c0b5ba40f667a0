/** Candles as the server sends them. */
export interface Columns {
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
}

/** The mean of the last `count` values; null until there are so many. */
export function average(values: readonly number[], count: number): (number | null)[] {
  let sum = 0;
  return values.map((value, index) => {
    sum += value - (index >= count ? (values[index - count] ?? 0) : 0);
    return index >= count - 1 ? sum / count : null;
  });
}
