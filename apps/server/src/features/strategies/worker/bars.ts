import { readFile } from 'node:fs/promises';
import { type Candles, demoExchange, type Interval, intervalMs, sliceCandles } from '@atoll/trading';
import type { StrategyProblem } from '@atoll/trading/backtest/job';

import type { BarSource } from './messages.ts';

export class BarProblem extends Error {
  get problem(): StrategyProblem {
    return { code: 'data', message: this.message, at: null, line: null };
  }
}

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
  const all = source.type === 'columns' ? await readColumns(source.path) : await readTable(source);
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

/** What the columns are called elsewhere. */
const names: Record<keyof Candles, string[]> = {
  time: ['time', 'timestamp', 'date', 'datetime', 'open_time', 'opentime', 't', 'ts'],
  open: ['open', 'o'],
  high: ['high', 'h'],
  low: ['low', 'l'],
  close: ['close', 'c', 'price'],
  volume: ['volume', 'vol', 'v'],
};

async function readTable({ path, format }: Extract<BarSource, { type: 'table' }>): Promise<Candles> {
  // Loaded for files only: it takes longer than most backtests.
  const { openDuckDb, quotedText } = await import('../../../platform/tables/worker/duckdb.ts');
  const db = await openDuckDb(
    { memoryMb: 512, threads: 2, spillFolder: '', spillMb: 0, timeMs: 60_000 },
    { paths: [path], folders: [] },
  );
  try {
    const reader =
      format === 'csv' ? `read_csv(${quotedText(path)}, sample_size = -1)` : `read_parquet(${quotedText(path)})`;
    const described = await db.run(`describe select * from ${reader}`).catch((error: Error) => {
      throw new BarProblem(`The file cannot be read: ${error.message.split('\n')[0]}`);
    });
    const columns = described.map(([name, type]) => ({ name: String(name), type: String(type) }));
    const find = (wanted: keyof Candles) =>
      columns.find(({ name }) => names[wanted].includes(name.trim().toLowerCase()));
    const missing = (['time', 'open', 'high', 'low', 'close'] as const).filter((name) => !find(name));
    if (missing.length > 0) {
      throw new BarProblem(
        `The file has no column ${missing.join(', ')}; it needs time, open, high, low, close and volume.`,
      );
    }
    const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
    const time = find('time');
    const isNumber = /INT|DOUBLE|DECIMAL|FLOAT|HUGEINT/.test(time?.type ?? '');
    const timeColumn = quoted(time?.name ?? '');
    // Seconds and milliseconds are told apart by their size.
    const milliseconds = isNumber
      ? `case when abs(${timeColumn}) < 100000000000 then ${timeColumn} * 1000 else ${timeColumn} end::double`
      : `epoch_ms(try_cast(${timeColumn} as timestamp))::double`;
    const number = (name: keyof Candles) => {
      const found = find(name);
      return found ? `try_cast(${quoted(found.name)} as double)` : '0::double';
    };
    const rows = await db.run(
      `select ${[milliseconds, ...(['open', 'high', 'low', 'close', 'volume'] as const).map(number)].join(', ')} from ${reader}`,
    );
    const column = (index: number) =>
      Float64Array.from(rows, (row) => (row[index] === null ? Number.NaN : Number(row[index])));
    return { time: column(0), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) };
  } finally {
    db.close();
  }
}
