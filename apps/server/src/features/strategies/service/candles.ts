import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ExchangeType } from '@atoll/contract';
import { type Candles, emptyCandles, type Interval, intervalMs, type MarketData, sliceCandles } from '@atoll/trading';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError } from '../../../platform/errors.ts';
import { dataOf, saying } from '../../trading/service/exchanges.ts';
import { candleMonths } from '../table.ts';

const atOnce = 1_000;
const largestMonth = 50 * 1024 ** 2;
const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

export const packColumns = (candles: Candles): Buffer =>
  Buffer.concat(columnNames.map((name) => Buffer.from(new Float64Array(candles[name]).buffer)));

function unpackColumns(bytes: Buffer): Candles {
  const rows = bytes.length / 8 / columnNames.length;
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  const column = (index: number) => numbers.subarray(index * rows, (index + 1) * rows);
  return {
    time: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}

function joined(parts: Candles[]): Candles {
  const all = emptyCandles(parts.reduce((count, { time }) => count + time.length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of columnNames) all[name].set(part[name], at);
    at += part.time.length;
  }
  return all;
}

/** Those that open from one time until before another. */
function between(candles: Candles, from: number, to: number): Candles {
  const first = candles.time.findIndex((time) => time >= from);
  if (first < 0) return emptyCandles(0);
  const last = candles.time.findIndex((time) => time >= to);
  return sliceCandles(candles, first, last < 0 ? undefined : last);
}

/** Asked from the end backwards, as exchanges answer the newest before a time. */
async function download(
  data: MarketData,
  symbol: string,
  interval: Interval,
  from: number,
  to: number,
): Promise<Candles> {
  const parts: Candles[] = [];
  let end = to;
  while (end > from) {
    const part = between(await saying(data.candles(symbol, interval, end, atOnce)), from, end);
    const [first] = part.time;
    // Nothing earlier: the market was not there yet.
    if (first === undefined || first >= end) break;
    parts.unshift(part);
    end = first;
  }
  return joined(parts);
}

const monthStart = (at: number): number => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth());
const nextMonth = (at: number): number => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() + 1);

/** Candles of an exchange that have closed. A month that is over is downloaded once and kept. */
export async function candlesOf(
  ctx: Context,
  market: { exchange: ExchangeType; symbol: string; interval: Interval },
  { from, until }: { from: number; until: number },
  onProgress: (share: number) => void = () => {},
): Promise<Candles> {
  const { exchange, symbol, interval } = market;
  const now = ctx.now().getTime();
  const parts: Candles[] = [];
  for (let month = monthStart(from); month < until; month = nextMonth(month)) {
    const end = nextMonth(month);
    const key = { exchange, symbol, interval, month: new Date(month).toISOString().slice(0, 7) };
    parts.push(await monthOf(ctx, key, month, end, now));
    onProgress(Math.min(1, (end - from) / (until - from)));
  }
  const all = between(joined(parts), from, until);
  const closed = all.time.findIndex((time) => time + intervalMs[interval] > Math.min(until, now));
  const usable = closed < 0 ? all : sliceCandles(all, 0, closed);
  if (usable.time.length === 0) {
    const message = `${symbol} has no bars in this time.`;
    throw new AppError('unprocessable_entity', message, { fields: { symbols: [message] } });
  }
  return usable;
}

async function monthOf(
  ctx: Context,
  key: { exchange: ExchangeType; symbol: string; interval: Interval; month: string },
  from: number,
  to: number,
  now: number,
): Promise<Candles> {
  const [kept] = await ctx.db
    .select({ blob: candleMonths.columnsBlob })
    .from(candleMonths)
    .where(
      and(
        eq(candleMonths.exchange, key.exchange),
        eq(candleMonths.symbol, key.symbol),
        eq(candleMonths.interval, key.interval),
        eq(candleMonths.month, key.month),
      ),
    );
  const content = kept && (await ctx.blobs.get(kept.blob));
  if (content) return unpackColumns(await buffer(content));
  const data = await dataOf(ctx, key.exchange);
  const candles = await download(data, key.symbol, key.interval, from, Math.min(to, now));
  // A day later, in case the exchange puts the last ones right.
  if (to + 86_400_000 > now) return candles;
  const blob = await ctx.blobs.put(Readable.from([packColumns(candles)]), largestMonth);
  await ctx.write(({ tx }) =>
    tx
      .insert(candleMonths)
      .values({ id: newId(), ...key, columnsBlob: blob.sha256, rows: candles.time.length, storedAt: ctx.now() })
      .onConflictDoUpdate({
        target: [candleMonths.exchange, candleMonths.symbol, candleMonths.interval, candleMonths.month],
        set: { columnsBlob: blob.sha256, rows: candles.time.length, storedAt: ctx.now() },
      }),
  );
  return candles;
}
