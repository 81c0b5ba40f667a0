import { type Candles, type Interval, intervalMs } from './port.ts';

export const emptyCandles = (count: number): Candles => {
  const column = () => new Float64Array(count);
  return { time: column(), open: column(), high: column(), low: column(), close: column(), volume: column() };
};

export const sliceCandles = (candles: Candles, from: number, to?: number): Candles => ({
  time: candles.time.subarray(from, to),
  open: candles.open.subarray(from, to),
  high: candles.high.subarray(from, to),
  low: candles.low.subarray(from, to),
  close: candles.close.subarray(from, to),
  volume: candles.volume.subarray(from, to),
});

/** Candles of a longer interval. Gaps in time stay gaps. */
export function aggregate(candles: Candles, interval: Interval): Candles {
  const length = intervalMs[interval];
  const { time, open, high, low, close, volume } = candles;
  const span = (time.at(-1) ?? 0) - (time[0] ?? 0);
  const into = emptyCandles(Math.min(time.length, Math.floor(span / length) + 2));
  let at = -1;
  let end = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < time.length; index++) {
    const now = time[index] as number;
    if (now >= end) {
      at++;
      const start = Math.floor(now / length) * length;
      end = start + length;
      into.time[at] = start;
      into.open[at] = open[index] as number;
      into.high[at] = high[index] as number;
      into.low[at] = low[index] as number;
    }
    into.high[at] = Math.max(into.high[at] as number, high[index] as number);
    into.low[at] = Math.min(into.low[at] as number, low[index] as number);
    into.close[at] = close[index] as number;
    into.volume[at] = (into.volume[at] as number) + (volume[index] as number);
  }
  return sliceCandles(into, 0, at + 1);
}

/** At most `most` candles over the same time, each as high and as low as those it stands for. */
export function thin(candles: Candles, most: number): Candles {
  const count = candles.time.length;
  if (count <= most) return candles;
  const group = Math.ceil(count / most);
  const into = emptyCandles(Math.ceil(count / group));
  for (let at = 0, from = 0; from < count; at++, from += group) {
    const to = Math.min(from + group, count);
    into.time[at] = candles.time[from] ?? 0;
    into.open[at] = candles.open[from] ?? 0;
    into.close[at] = candles.close[to - 1] ?? 0;
    let [high, low, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let index = from; index < to; index++) {
      high = Math.max(high, candles.high[index] ?? high);
      low = Math.min(low, candles.low[index] ?? low);
      volume += candles.volume[index] ?? 0;
    }
    into.high[at] = high;
    into.low[at] = low;
    into.volume[at] = volume;
  }
  return into;
}
