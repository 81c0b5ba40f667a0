import { type EndpointInput, type ExchangeType, mostChartPoints, type TradingAsset } from '@atoll/contract';
import {
  demoAssetOf,
  type Interval,
  intervalMs,
  intervals,
  type Market,
  marketCap,
  type Ticker,
  thin,
} from '@atoll/trading';
import { and, eq } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { favoriteAssets } from '../table.ts';
import { viewMarket } from '../view.ts';
import { dataOf, saying } from './exchanges.ts';

/** How old a price may be before the exchange is asked again (spec: 60 s). The demo's cost nothing. */
const freshMs: Partial<Record<ExchangeType, number>> = { demo: 500 };
const usuallyFreshMs = 60_000;
const marketsMs = 3_600_000;
const dayMs = 86_400_000;

interface Kept<Value> {
  at: number;
  value: Promise<Value>;
}
const kept = appState(() => ({
  tickers: new Map<ExchangeType, Kept<Map<string, Ticker>>>(),
  markets: new Map<ExchangeType, Kept<Map<string, Market>>>(),
}));

/** However many people ask, the exchange is asked once. */
function once<Value>(
  ctx: Context,
  cache: Map<ExchangeType, Kept<Value>>,
  type: ExchangeType,
  maxAge: number,
  load: () => Promise<Value>,
): Promise<Value> {
  const now = ctx.now().getTime();
  const last = cache.get(type);
  if (last && now - last.at < maxAge && now >= last.at) return last.value;
  const value = load();
  cache.set(type, { at: now, value });
  value.catch(() => cache.delete(type));
  return value;
}

const bySymbol = <Each extends { symbol: string }>(list: Each[]) => new Map(list.map((each) => [each.symbol, each]));

export const tickersOf = (ctx: Context, type: ExchangeType): Promise<Map<string, Ticker>> =>
  once(ctx, kept(ctx).tickers, type, freshMs[type] ?? usuallyFreshMs, async () =>
    bySymbol((await saying(dataOf(ctx, type).tickers())).map((ticker) => ({ ...ticker, at: ctx.now().getTime() }))),
  );

/** What a stream says is newer than what was asked for. */
export async function updateTickers(ctx: Context, type: ExchangeType, changed: Iterable<Ticker>): Promise<void> {
  const tickers = new Map(await tickersOf(ctx, type));
  for (const ticker of changed) tickers.set(ticker.symbol, ticker);
  kept(ctx).tickers.set(type, { at: ctx.now().getTime(), value: Promise.resolve(tickers) });
}

export const marketsOf = (ctx: Context, type: ExchangeType): Promise<Map<string, Market>> =>
  once(ctx, kept(ctx).markets, type, marketsMs, async () => bySymbol(await saying(dataOf(ctx, type).markets())));

/** A market and its price, as an order needs them. */
export async function requireMarket(
  ctx: Context,
  type: ExchangeType,
  symbol: string,
): Promise<{ market: Market; ticker: Ticker }> {
  const [markets, tickers] = await Promise.all([marketsOf(ctx, type), tickersOf(ctx, type)]);
  const [market, ticker] = [markets.get(symbol), tickers.get(symbol)];
  if (!market) throw invalidField('symbol', `There is no market ${symbol} here.`);
  if (!ticker) throw invalidField('symbol', `There is no price of ${symbol} at the moment.`);
  return { market, ticker };
}

const quotes = ['USDT', 'USDC', 'USD', 'EUR'];

const separator = '-';
export function parseAssetId(id: string): { type: ExchangeType; asset: string } {
  const at = id.indexOf(separator);
  return { type: id.slice(0, at) as ExchangeType, asset: id.slice(at + 1) };
}

/** The market in which an asset is looked at: against the first of these that there is. */
function mainMarket(markets: Iterable<Market>, asset: string): Market | undefined {
  const own = [...markets].filter(({ base }) => base.toLowerCase() === asset.toLowerCase());
  return quotes.map((quote) => own.find((market) => market.quote === quote)).find(Boolean) ?? own[0];
}

/** Those in which the list shows an exchange's assets. */
export function mainSymbols(markets: ReadonlyMap<string, Market>): Set<string> {
  const byBase = Map.groupBy(markets.values(), ({ base }) => base);
  return new Set([...byBase].flatMap(([base, own]) => mainMarket(own, base)?.symbol ?? []));
}

function viewAsset(
  ctx: Context,
  type: ExchangeType,
  market: Market,
  ticker: Ticker | undefined,
  favorites: Set<string>,
): TradingAsset {
  const id = `${type}${separator}${market.base}`;
  const known = demoAssetOf(market.base);
  const price = ticker?.last ?? null;
  return {
    id,
    remote_type: type,
    remote_id: market.symbol,
    symbol: market.base,
    name: known?.name ?? market.base,
    quote: market.quote,
    price,
    change: ticker?.change ?? null,
    volume: ticker?.volume ?? null,
    market_cap: known && price ? marketCap(known, price) : null,
    age: known ? Math.floor((ctx.now().getTime() - Date.parse(known.since)) / dayMs) : null,
    category: known?.category ?? null,
    is_favorite: favorites.has(id),
  };
}

async function favoritesOf(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ asset: favoriteAssets.asset })
    .from(favoriteAssets)
    .where(eq(favoriteAssets.userId, ctx.actor.userId ?? nobody));
  return new Set(rows.map(({ asset }) => asset));
}

export async function listAssets(
  ctx: Context,
  { exchange, search }: EndpointInput<'trading', 'assets'>,
): Promise<TradingAsset[]> {
  const [markets, tickers, favorites] = await Promise.all([
    marketsOf(ctx, exchange),
    tickersOf(ctx, exchange),
    favoritesOf(ctx),
  ]);
  const shown = mainSymbols(markets);
  const wanted = search?.toLowerCase() ?? '';
  return [...shown]
    .flatMap((symbol) => {
      const market = markets.get(symbol);
      return market?.isActive ? [viewAsset(ctx, exchange, market, tickers.get(market.symbol), favorites)] : [];
    })
    .filter(({ symbol, name }) => `${symbol} ${name}`.toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.volume ?? 0) - Number(a.volume ?? 0));
}

export async function requireAsset(
  ctx: Context,
  id: string,
): Promise<{ type: ExchangeType; market: Market; ticker: Ticker | undefined }> {
  const { type, asset } = parseAssetId(id);
  const [markets, tickers] = await Promise.all([marketsOf(ctx, type), tickersOf(ctx, type)]);
  const market = mainMarket(markets.values(), asset);
  if (!market) throw notFound('This asset');
  return { type, market, ticker: tickers.get(market.symbol) };
}

export async function viewOneAsset(ctx: Context, id: string) {
  const { type, market, ticker } = await requireAsset(ctx, id);
  const day = await saying(dataOf(ctx, type).candles(market.symbol, '1h', ctx.now().getTime(), 24));
  const view = viewAsset(ctx, type, market, ticker, await favoritesOf(ctx));
  const name = encodeURIComponent(view.name);
  return {
    ...view,
    market: viewMarket(market),
    high_24h: day.high.length > 0 ? Math.max(...day.high) : null,
    low_24h: day.low.length > 0 ? Math.min(...day.low) : null,
    links: [
      { title: `${view.name} on Wikipedia`, url: `https://en.wikipedia.org/w/index.php?search=${name}` },
      { title: `News about ${view.name}`, url: `https://news.google.com/search?q=${name}` },
    ],
  };
}

const usualPoints = 500;

/** Longer candles, where of the wanted ones so many stand for one point that nobody can tell. */
function coarser(interval: Interval, wanted: number): Interval {
  const span = wanted * intervalMs[interval];
  return (
    intervals.findLast(
      (each) => intervalMs[each] >= intervalMs[interval] && span / intervalMs[each] >= mostChartPoints,
    ) ?? interval
  );
}

export async function chartOf(ctx: Context, { asset, interval, from, to }: EndpointInput<'trading', 'chart'>) {
  const { type, market } = await requireAsset(ctx, asset);
  const end = to ? Date.parse(to) : ctx.now().getTime();
  if (from && Date.parse(from) >= end) throw invalidField('from', 'Must be before the end.');
  const wanted = from ? Math.ceil((end - Date.parse(from)) / intervalMs[interval]) : usualPoints;
  const read = coarser(interval, wanted);
  const count = Math.ceil((wanted * intervalMs[interval]) / intervalMs[read]);
  const all = await saying(dataOf(ctx, type).candles(market.symbol, read, end, count));
  const few = thin(all, mostChartPoints);
  return {
    interval,
    time: Array.from(few.time, (each) => each / 1000),
    open: Array.from(few.open),
    high: Array.from(few.high),
    low: Array.from(few.low),
    close: Array.from(few.close),
    volume: Array.from(few.volume),
    is_thinned: read !== interval || few.time.length < all.time.length,
  };
}

export async function bookOf(ctx: Context, { asset, depth }: EndpointInput<'trading', 'book'>) {
  const { type, market } = await requireAsset(ctx, asset);
  const { bids, asks, at } = await saying(dataOf(ctx, type).book(market.symbol, depth));
  return { bids, asks, at: new Date(at).toISOString() };
}

export async function setFavorite(ctx: Context, asset: string, isFavorite: boolean): Promise<void> {
  const userId = ctx.actor.userId ?? nobody;
  await requireAsset(ctx, asset);
  await ctx.write(async ({ tx }) => {
    if (isFavorite) await tx.insert(favoriteAssets).values({ userId, asset }).onConflictDoNothing();
    else await tx.delete(favoriteAssets).where(and(eq(favoriteAssets.userId, userId), eq(favoriteAssets.asset, asset)));
  });
}
