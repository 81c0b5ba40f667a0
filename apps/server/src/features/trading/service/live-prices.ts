import type { ExchangeType } from '@atoll/contract';
import { decimal, type Market, type Ticker } from '@atoll/trading';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { followBinance, type PriceStream, type StreamedPrice } from './binance-stream.ts';
import { dataOf, requireReachable } from './exchanges.ts';
import { mainSymbols, marketsOf, tickersOf, updateTickers } from './markets.ts';

/** Not more often than five times a second, and none later than this. */
const leastGapMs = 180;
const demoTickMs = 1_000;
/** How often an exchange whose stream is lost is asked (spec). */
const pollMs = 60_000;
const bookDepth = 10;

/** One of those on a topic, and how all of them are told something. */
interface Watcher {
  channel: { topic: string };
  broadcast(event: string, payload: object): void;
}

interface Watched {
  /** Null: all that the list of markets shows. */
  symbol: string | null;
  channels: Set<Watcher['channel']>;
  broadcast: Watcher['broadcast'];
}

/** The prices of one exchange: asked for once, however many people watch, and only while they do. */
class Feed {
  readonly #ctx: Context;
  readonly #type: ExchangeType;
  readonly #watched = new Map<string, Watched>();
  readonly #changed = new Map<string, Ticker>();
  readonly #known = new Map<string, string>();
  #sentAt = 0;
  #sending: NodeJS.Timeout | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stream: PriceStream | null = null;
  #markets: Map<string, Market> = new Map();
  #shown: Set<string> = new Set();
  #isOver = false;
  #isStreaming = false;
  /** Taken for granted until it turns out otherwise: connecting is no interruption. */
  isLive = true;

  constructor(ctx: Context, type: ExchangeType) {
    this.#ctx = ctx;
    this.#type = type;
    this.#timer = setInterval(() => void this.#poll(), type === 'demo' ? demoTickMs : pollMs).unref();
    void this.#start();
  }

  async #start(): Promise<void> {
    try {
      this.#markets = await marketsOf(this.#ctx, this.#type);
      this.#shown = mainSymbols(this.#markets);
      await this.#poll();
    } catch (error) {
      this.#complain(error);
    }
    if (this.#isOver || this.#type === 'demo') return;
    const url = this.#ctx.config.trading.streamUrls[requireReachable(this.#ctx, this.#type)];
    const symbols = new Map([...this.#markets.values()].map(({ symbol, base, quote }) => [base + quote, symbol]));
    this.#stream = followBinance(url, {
      onPrices: (prices) => this.#onPrices(prices, symbols),
      onBook: (market, { bids, asks }) => {
        const levels = (side: typeof bids) => side.map(([price, amount]) => ({ price, amount }));
        this.#sendBook(symbols.get(market), { bids: levels(bids), asks: levels(asks), at: this.#ctx.now().getTime() });
      },
      onLive: (isLive) => this.#setLive(isLive),
    });
    for (const { symbol } of this.#watched.values()) if (symbol) this.#stream.followBook(marketId(symbol));
  }

  watch(watcher: Watcher, symbol: string | null): void {
    const { channel, broadcast } = watcher;
    const watched = this.#watched.get(channel.topic);
    if (watched) {
      watched.channels.add(channel);
      return;
    }
    this.#watched.set(channel.topic, { symbol, broadcast, channels: new Set([channel]) });
    if (symbol) this.#stream?.followBook(marketId(symbol));
  }

  /** Answers whether it is still watched. */
  unwatch(channel: Watcher['channel']): boolean {
    const watched = this.#watched.get(channel.topic);
    watched?.channels.delete(channel);
    if (watched?.channels.size === 0) {
      this.#watched.delete(channel.topic);
      if (watched.symbol) this.#stream?.unfollowBook(marketId(watched.symbol));
    }
    return this.#watched.size > 0;
  }

  stop(): void {
    this.#isOver = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#sending) clearTimeout(this.#sending);
    this.#stream?.stop();
  }

  async #poll(): Promise<void> {
    // While it streams, prices are newer than asking would make them.
    if (this.#isStreaming) return;
    try {
      this.#note((await tickersOf(this.#ctx, this.#type)).values());
      if (this.#type === 'demo') await this.#pollBooks();
    } catch (error) {
      this.#complain(error);
    }
  }

  async #pollBooks(): Promise<void> {
    for (const { symbol } of this.#watched.values())
      if (symbol) this.#sendBook(symbol, await dataOf(this.#ctx, this.#type).book(symbol, bookDepth));
  }

  #onPrices(prices: StreamedPrice[], symbols: ReadonlyMap<string, string>): void {
    const at = this.#ctx.now().getTime();
    const tickers = prices.flatMap(({ market, last, open, volume }): Ticker[] => {
      const symbol = symbols.get(market);
      if (!symbol) return [];
      const change = Number(open) > 0 ? Math.round((Number(last) / Number(open) - 1) * 10_000) / 100 : null;
      // It says nothing of what is bid and asked, and what was known of that is older.
      return [{ symbol, last: decimal(last).toFixed(), bid: null, ask: null, change, volume, at }];
    });
    void updateTickers(this.#ctx, this.#type, tickers).catch((error: unknown) => this.#complain(error));
    this.#note(tickers);
  }

  #note(tickers: Iterable<Ticker>): void {
    for (const ticker of tickers) {
      if (this.#known.get(ticker.symbol) === ticker.last) continue;
      this.#known.set(ticker.symbol, ticker.last);
      this.#changed.set(ticker.symbol, ticker);
    }
    if (this.#changed.size === 0 || this.#sending) return;
    const wait = this.#sentAt + leastGapMs - performance.now();
    if (wait <= 0) this.#send();
    else this.#sending = setTimeout(() => this.#send(), wait).unref();
  }

  #send(): void {
    this.#sending = null;
    this.#sentAt = performance.now();
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    const shown = changed
      .filter(({ symbol }) => this.#shown.has(symbol))
      .map(({ symbol, last, change, volume }) => ({ symbol, last, change, volume }));
    const bySymbol = new Map(changed.map((ticker) => [ticker.symbol, ticker]));
    for (const { symbol, broadcast } of this.#watched.values()) {
      if (symbol === null) {
        if (shown.length > 0) broadcast('prices_changed', { entries: shown });
        continue;
      }
      const ticker = bySymbol.get(symbol);
      if (!ticker) continue;
      const { last, change, volume, at } = ticker;
      broadcast('price_changed', { last, change, volume, at: new Date(at).toISOString() });
    }
  }

  #sendBook(
    symbol: string | undefined,
    { bids, asks, at }: Awaited<ReturnType<ReturnType<typeof dataOf>['book']>>,
  ): void {
    const told = { bids: bids.map(level), asks: asks.map(level), at: new Date(at).toISOString() };
    for (const watched of this.#watched.values())
      if (symbol && watched.symbol === symbol) watched.broadcast('book_changed', told);
  }

  #setLive(isLive: boolean): void {
    this.#isStreaming = isLive;
    if (this.isLive === isLive) return;
    this.isLive = isLive;
    for (const { broadcast } of this.#watched.values()) broadcast('source_changed', { is_live: isLive });
    if (!isLive) void this.#poll();
  }

  #complain(error: unknown): void {
    this.#ctx.log.warn({ err: error, exchange: this.#type }, 'prices could not be read');
  }
}

const level = ({ price, amount }: { price: string; amount: string }) => ({
  price: decimal(price).toFixed(),
  amount: decimal(amount).toFixed(),
});

/** BTC/USDT is BTCUSDT there. */
const marketId = (symbol: string) => symbol.replace('/', '');

/** One for each exchange that is watched on this server. */
export const livePrices = appState((system) => {
  const feeds = new Map<ExchangeType, Feed>();
  return {
    /** Answers whether its prices come as they change. */
    watch(type: ExchangeType, watcher: Watcher, symbol: string | null): { is_live: boolean } {
      const feed = feeds.get(type) ?? new Feed(system, type);
      feeds.set(type, feed);
      feed.watch(watcher, symbol);
      return { is_live: feed.isLive };
    },
    unwatch(type: ExchangeType, channel: Watcher['channel']): void {
      const feed = feeds.get(type);
      if (!feed || feed.unwatch(channel)) return;
      feed.stop();
      feeds.delete(type);
    },
    stop(): void {
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
    },
    get watched(): ExchangeType[] {
      return [...feeds.keys()];
    },
  };
});
