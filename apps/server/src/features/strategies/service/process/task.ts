import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ExchangeType, extensionOf, type TestSettings } from '@atoll/contract';
import { type Interval, intervalMs, type Market } from '@atoll/trading';
import type { Language } from '@atoll/trading/backtest/hosts/host';
import type { MarketRules } from '@atoll/trading/backtest/job';
import { and, eq, isNull } from 'drizzle-orm';
import { readBlob } from '../../../../platform/blobs.ts';
import type { Context } from '../../../../platform/context.ts';
import { invalidField } from '../../../../platform/errors.ts';
import { files } from '../../../files/table.ts';
import { demoSeed } from '../../../trading/service/exchanges.ts';
import { marketsOf } from '../../../trading/service/markets.ts';
import { mostBars } from '../../worker/limits.ts';
import type { BarSource, MarketTask, TestTask } from '../../worker/messages.ts';
import { candlesOf, packColumns } from '../candles.ts';

const dayMs = 86_400_000;
const usualDays = 365;
/** For indicators that need a past, before the first decision. */
const historyBars = 500;

/** Shorter bars of the same market, which tell what came first inside of one. */
const finerThan: Partial<Record<Interval, Interval>> = { '5m': '1m', '15m': '1m', '1h': '5m', '4h': '15m', '1d': '1h' };

export const startOfDay = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** When its last bar closes at the latest. */
export function endOf(ctx: Context, settings: TestSettings): Date {
  const now = ctx.now().getTime();
  return new Date(settings.to ? Math.min(now, startOfDay(settings.to) + dayMs) : now);
}

export function periodOf(settings: TestSettings, until: Date): { from: number; until: number } {
  // A file without dates is tested from its first bar on, wherever that is.
  const usual = settings.source.type === 'file' ? 0 : until.getTime() - usualDays * dayMs;
  const from = settings.from ? startOfDay(settings.from) : usual;
  if (from >= until.getTime()) throw invalidField('settings.from', 'The start must be before the end.');
  return { from, until: until.getTime() };
}

export const rulesOf = (market: Market): MarketRules => ({
  amountStep: Number(market.amountStep),
  priceTick: Number(market.priceTick),
  minAmount: Number(market.minAmount),
  maxAmount: market.maxAmount === null ? null : Number(market.maxAmount),
  minNotional: Number(market.minNotional),
});

/** Of data that no exchange stands behind. */
const freeRules: MarketRules = { amountStep: 1e-8, priceTick: 1e-8, minAmount: 0, maxAmount: null, minNotional: 0 };

interface Prepared {
  markets: MarketTask[];
  fees: { maker: number; taker: number };
}

/** What can be said against the settings before anything is computed. */
export async function checkSettings(ctx: Context, projectId: string, settings: TestSettings): Promise<void> {
  const { from, until } = periodOf(settings, endOf(ctx, settings));
  const bars = ((until - from) / intervalMs[settings.timeframe]) * settings.symbols.length;
  // How many a file has is known when it is read.
  if (bars > mostBars && settings.source.type !== 'file') {
    const message = `This is ${Math.round(bars / 1e6)} million bars; at most ${mostBars / 1e6} can be tested at once. Choose a longer interval, a shorter time or fewer markets.`;
    throw invalidField('settings.timeframe', message);
  }
  if (settings.source.type === 'file') {
    await findTable(ctx, projectId, settings.source.path);
    return;
  }
  const markets = await marketsOf(ctx, settings.source.exchange);
  const unknown = settings.symbols.find((symbol) => !markets.has(symbol));
  if (unknown) throw invalidField('settings.symbols', `There is no market ${unknown} on this exchange.`);
}

async function findTable(ctx: Context, projectId: string, path: string) {
  const format = extensionOf(path);
  if (format !== 'csv' && format !== 'parquet') {
    throw invalidField('settings.source', 'Choose a csv or parquet file.');
  }
  const [file] = await ctx.db
    .select({ blob: files.blob })
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.path, path), isNull(files.deletedAt)));
  if (!file) throw invalidField('settings.source', `There is no file ${path} in this project.`);
  return { blob: file.blob, format } as const;
}

async function prepareFile(
  ctx: Context,
  projectId: string,
  settings: TestSettings,
  folder: string,
  path: string,
): Promise<Prepared> {
  const { blob, format } = await findTable(ctx, projectId, path);
  const copy = join(folder, `bars.${format}`);
  await pipeline(await readBlob(ctx, blob), createWriteStream(copy));
  const isOneOfSeveral = settings.symbols.length > 1;
  const bars: BarSource = { type: 'table', path: copy, format, isOneOfSeveral };
  const markets = settings.symbols.map((symbol) => {
    const [base = '', quote = ''] = symbol.split('/');
    return { symbol, base, quote, rules: freeRules, bars, finer: null };
  });
  return {
    markets,
    fees: { maker: 0.001, taker: 0.001 },
  };
}

async function prepareExchange(
  ctx: Context,
  settings: TestSettings,
  exchange: ExchangeType,
  period: { from: number; until: number },
  folder: string,
  onProgress: (share: number) => void,
): Promise<Prepared> {
  const known = await marketsOf(ctx, exchange);
  const finer = settings.uses_finer_bars ? finerThan[settings.timeframe] : undefined;
  const all = [settings.timeframe, ...(finer ? [finer] : [])];
  const cost = all.reduce((sum, each) => sum + (period.until - period.from) / intervalMs[each], 0);
  const usesFiner = finer !== undefined && cost * settings.symbols.length <= mostBars;
  const markets: MarketTask[] = [];
  let fees = { maker: 0, taker: 0 };
  for (const [index, symbol] of settings.symbols.entries()) {
    const market = known.get(symbol);
    if (!market) throw invalidField('settings.symbols', `There is no market ${symbol} on this exchange.`);
    const sourceOf = async (interval: Interval): Promise<BarSource> => {
      if (exchange === 'demo') return { type: 'demo', seed: demoSeed };
      const path = join(folder, `${index}-${interval}.columns`);
      const history = interval === settings.timeframe ? historyBars * intervalMs[interval] : 0;
      const range = { from: period.from - history, until: period.until };
      await writeFile(path, packColumns(await candlesOf(ctx, { exchange, symbol, interval }, range)));
      return { type: 'columns', path };
    };
    markets.push({
      symbol,
      base: market.base,
      quote: market.quote,
      rules: rulesOf(market),
      bars: await sourceOf(settings.timeframe),
      finer: usesFiner ? { interval: finer, bars: await sourceOf(finer) } : null,
    });
    fees = { maker: Number(market.makerFee), taker: Number(market.takerFee) };
    onProgress((index + 1) / settings.symbols.length);
  }
  const quotes = new Set(markets.map(({ quote }) => quote));
  if (quotes.size > 1) throw invalidField('settings.symbols', 'All markets must be against the same asset.');
  return { markets, fees };
}

/** All that a test needs, in a folder that its process can read. */
export async function prepareTask(
  ctx: Context,
  input: {
    projectId: string;
    code: string;
    language: Language;
    parameters: TestTask['parameters'];
    settings: TestSettings;
    until: Date;
    tries: number;
  },
  folder: string,
  onProgress: (share: number) => void = () => {},
): Promise<TestTask> {
  const { settings } = input;
  const period = periodOf(settings, input.until);
  const { markets, fees } =
    settings.source.type === 'file'
      ? await prepareFile(ctx, input.projectId, settings, folder, settings.source.path)
      : await prepareExchange(ctx, settings, settings.source.exchange, period, folder, onProgress);
  return {
    ...{ code: input.code, language: input.language },
    parameters: input.parameters,
    interval: settings.timeframe,
    markets,
    ...period,
    outOfSampleFrom: settings.out_of_sample_from ? startOfDay(settings.out_of_sample_from) : null,
    capital: settings.capital,
    fees: { maker: settings.maker_fee ?? fees.maker, taker: settings.taker_fee ?? fees.taker },
    slippage: settings.slippage,
    deposits: settings.deposits.map(({ at, amount }) => ({ at: startOfDay(at), amount })),
    seed: settings.seed,
    tries: input.tries,
  };
}
