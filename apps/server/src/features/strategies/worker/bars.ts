import { readFile } from 'node:fs/promises';
import { type Candles, demoExchange, type Interval, intervalMs, sliceCandles } from '@atoll/trading';
import { readTable } from './bar-table.ts';
import type { BarSource } from './messages.ts';

/** The bars of one market that have closed by `until`, with some before `from` for indicators. */
export async function readBars(
  source: BarSource,
  market: { symbol: string; interval: Interval; from: number; until: number; history: number },
): Promise<Candles> {
  const { interval, from, until, history } = market;
  const length = intervalMs[interval];
  const first = from - history * length;
  if (source.type === 'demo') {
    const exchange = demoExchange({ seed: source.seed, now: () => until });
    const count = Math.ceil((until - first) / length);
    return within(await exchange.candles(market.symbol, interval, until, count), first, until - length);
  }
  const all = source.type === 'columns' ? await readColumns(source.path) : await readTable(source, market.symbol);
  return within(all, first, until - length);
}

function within(candles: Candles, first: number, last: number): Candles {
  const { time } = candles;
  // Disorder is told of by the engine's own checks, so nothing is cut from what is not sorted.
  let [start, end] = [0, time.length];
  while (start < end && (time[start] ?? 0) < first) start++;
  while (end > start && (time[end - 1] ?? 0) > last) end--;
  return sliceCandles(candles, start, end);
}

async function readColumns(path: string): Promise<Candles> {
  const bytes = await readFile(path);
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  const rows = numbers.length / 6;
  const column = (index: number) => numbers.subarray(index * rows, (index + 1) * rows);
  return { time: column(0), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) };
}
