import { aggregate, emptyCandles, sliceCandles } from '../candles.ts';
import { decimal, floorToStep } from '../decimal.ts';
import {
  type Candles,
  type ExchangeAccount,
  ExchangeRefusal,
  type Interval,
  intervalMs,
  isFinal,
  type Market,
  type MarketData,
  type Ticker,
} from '../port.ts';
import {
  balancesOf,
  cancelOrder,
  type DemoAccount,
  type DemoMarket,
  type DemoOrder,
  placeOrder,
  reportOf,
  settleOrder,
  startingBalances,
} from './account.ts';
import { demoBook, demoLevels } from './book.ts';
import { type DemoAsset, demoAssets, demoMarkets } from './markets.ts';
import { demoPrices } from './prices.ts';

/** Keeps the accounts. `change` is one transaction: it sees the open orders and the one that is asked for. */
export interface DemoStore {
  change<T>(account: string, clientId: string | null, work: (account: DemoAccount) => T): Promise<T>;
}

export interface DemoExchange extends MarketData {
  /** Its state is wherever the store keeps it. */
  account(id: string, store: DemoStore): ExchangeAccount;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const historyMs = 5 * 365 * dayMs;
/** Long history is made in pieces, with room for other requests in between, and kept. */
const pieceMs = 30 * dayMs;
const mostPieces = 1_000;
/** Of what is traded in a minute, a resting order gets this much. */
const restingShare = 0.1;

export function memoryStore(): DemoStore {
  const accounts = new Map<string, DemoAccount & { done: Map<string, DemoOrder> }>();
  return {
    async change(id, clientId, work) {
      const account = accounts.get(id) ?? { balances: startingBalances(), orders: new Map(), done: new Map() };
      accounts.set(id, account);
      const { orders, done } = account;
      const asked = clientId === null ? undefined : done.get(clientId);
      if (asked) orders.set(asked.clientId, asked);
      try {
        return work(account);
      } finally {
        for (const order of orders.values()) {
          if (!isFinal(order.state)) continue;
          orders.delete(order.clientId);
          done.set(order.clientId, order);
        }
      }
    },
  };
}

export function demoExchange(options: { seed: number; now: () => number }): DemoExchange {
  const { now } = options;
  const prices = demoPrices(options.seed);
  const worlds = new Map(
    demoAssets.map((asset, index): [string, { asset: DemoAsset; world: DemoMarket }] => {
      const market = demoMarkets[index] as Market;
      const text = (price: number) => price.toFixed(asset.priceDigits);
      const world: DemoMarket = {
        market,
        priceAt: (at) => text(prices.priceAt(asset, at)),
        levels: (side, at) => demoLevels(prices, asset, market, side === 'buy' ? 'ask' : 'bid', at),
        crossing: (from, to, limit, direction) => prices.crossing(asset, from, to, Number(limit), direction),
        amountIn(minute) {
          const volume = prices.minutes(asset, minute / minuteMs, 1).volume[0] ?? 0;
          const amount = floorToStep(volume * restingShare, market.amountStep);
          return amount.gt(0) ? amount.toFixed() : market.amountStep;
        },
      };
      return [market.symbol, { asset, world }];
    }),
  );
  const find = (symbol: string) => {
    const found = worlds.get(symbol);
    if (!found) throw new ExchangeRefusal('unknown_market', `The demo has no market ${symbol}`);
    return found;
  };

  /** The minute that is not over: only what has happened of it. */
  function formingMinute(asset: DemoAsset, at: number): Candles {
    const minute = Math.floor(at / minuteMs);
    const candles = prices.minutes(asset, minute, 1);
    let [high, low] = [candles.open[0] ?? 0, candles.open[0] ?? 0];
    const steps = 60;
    for (let step = 1; step <= steps; step++) {
      const moment = minute * minuteMs + (step * minuteMs) / steps;
      if (moment > at) break;
      const price = prices.priceAt(asset, Math.min(moment, (minute + 1) * minuteMs - 1));
      high = Math.max(high, price);
      low = Math.min(low, price);
    }
    const close = prices.priceAt(asset, at);
    const share = at / minuteMs - minute;
    candles.high[0] = Math.max(high, close);
    candles.low[0] = Math.min(low, close);
    candles.close[0] = close;
    candles.volume[0] = Number(((candles.volume[0] ?? 0) * share).toFixed(asset.amountDigits));
    return candles;
  }

  const pieces = new Map<string, Candles>();
  /** One after the other is made in the same memory; what is kept of them is far shorter. */
  let pieceMinutes: Candles | null = null;
  async function pieceOf(asset: DemoAsset, interval: Interval, start: number): Promise<Candles> {
    const key = `${asset.asset} ${interval} ${start}`;
    const kept = pieces.get(key);
    if (kept) return kept;
    await new Promise(setImmediate);
    pieceMinutes ??= emptyCandles(pieceMs / minuteMs);
    const made = aggregate(prices.minutes(asset, start / minuteMs, pieceMs / minuteMs, pieceMinutes), interval);
    if (pieces.size >= mostPieces) pieces.clear();
    pieces.set(key, made);
    return made;
  }

  function join(parts: Candles[]): Candles {
    const count = parts.reduce((total, part) => total + part.time.length, 0);
    const into = emptyCandles(count);
    let at = 0;
    for (const part of parts) {
      for (const column of Object.keys(into) as (keyof Candles)[]) into[column].set(part[column], at);
      at += part.time.length;
    }
    return into;
  }

  async function candles(symbol: string, interval: Interval, to: number, limit: number): Promise<Candles> {
    const { asset } = find(symbol);
    const length = intervalMs[interval];
    const until = Math.min(to, now());
    const oldest = Math.ceil((now() - historyMs) / length) * length;
    const lastStart = Math.floor((until - 1) / length) * length;
    const from = Math.max(lastStart - (limit - 1) * length, oldest);
    if (until <= from) return emptyCandles(0);
    const parts: Candles[] = [];
    const whole = Math.min(lastStart, Math.floor(until / minuteMs) * minuteMs);
    if (length >= intervalMs['1h']) {
      for (let start = Math.floor(from / pieceMs) * pieceMs; start < whole; start += pieceMs) {
        // The newest piece is not over; it is made up to the last whole candle.
        const end = start + pieceMs;
        const piece =
          end <= whole
            ? await pieceOf(asset, interval, start)
            : aggregate(prices.minutes(asset, start / minuteMs, (whole - start) / minuteMs), interval);
        const first = piece.time.findIndex((time) => time >= from);
        if (first >= 0) parts.push(sliceCandles(piece, first));
      }
    } else if (whole > from) {
      parts.push(aggregate(prices.minutes(asset, from / minuteMs, (whole - from) / minuteMs), interval));
    }
    // The candle that is forming: whole minutes, and what there is of this one.
    const formingFrom = Math.max(lastStart, from);
    const minute = Math.floor(until / minuteMs) * minuteMs;
    const last = [
      prices.minutes(asset, formingFrom / minuteMs, Math.max(minute - formingFrom, 0) / minuteMs),
      ...(until > minute ? [formingMinute(asset, until)] : []),
    ];
    parts.push(aggregate(join(last), interval));
    return join(parts);
  }

  const dayVolume = new Map<string, { minute: number; volume: string }>();
  function volumeOf(asset: DemoAsset, at: number): string {
    const minute = Math.floor(at / minuteMs);
    const kept = dayVolume.get(asset.asset);
    if (kept?.minute === minute) return kept.volume;
    const day = prices.minutes(asset, minute - 1_440, 1_440);
    let total = 0;
    for (let index = 0; index < 1_440; index++) total += (day.volume[index] ?? 0) * (day.close[index] ?? 0);
    const volume = total.toFixed(0);
    dayVolume.set(asset.asset, { minute, volume });
    return volume;
  }

  function tickerOf(symbol: string, at: number): Ticker {
    const { asset, world } = find(symbol);
    const last = world.priceAt(at);
    const before = prices.priceAt(asset, at - dayMs);
    const book = demoBook(prices, asset, world.market, at, 1);
    return {
      symbol,
      last,
      bid: book.bids[0]?.price ?? null,
      ask: book.asks[0]?.price ?? null,
      change: (Number(last) / before - 1) * 100,
      volume: volumeOf(asset, at),
      at,
    };
  }

  const settleAll = (account: DemoAccount, at: number) => {
    for (const order of account.orders.values()) {
      if (!isFinal(order.state)) settleOrder(account, find(order.symbol).world, order, at);
    }
  };

  return {
    markets: async () => demoMarkets,
    async tickers() {
      const at = now();
      return [...worlds.keys()].map((symbol) => tickerOf(symbol, at));
    },
    candles,
    book: async (symbol, depth) => {
      const { asset, world } = find(symbol);
      return demoBook(prices, asset, world.market, now(), Math.min(depth, 50));
    },
    account: (id, store) => ({
      rights: async () => ({
        ...{ canRead: true, canTrade: true, canWithdraw: false, canTransfer: false, isIpRestricted: null },
      }),
      balances: () =>
        store.change(id, null, (account) => {
          settleAll(account, now());
          return balancesOf(account);
        }),
      place: (request) =>
        store.change(id, request.clientId, (account) => {
          const { world } = find(request.symbol);
          settleAll(account, now());
          return reportOf(placeOrder(account, world, request, now()));
        }),
      find: (clientId) =>
        store.change(id, clientId, (account) => {
          const order = account.orders.get(clientId);
          if (!order) return null;
          settleAll(account, now());
          return reportOf(order);
        }),
      openOrders: () =>
        store.change(id, null, (account) => {
          settleAll(account, now());
          return [...account.orders.values()].filter(({ state }) => !isFinal(state)).map(reportOf);
        }),
      // No other program reaches the demo.
      filledSince: async () => [],
      cancel: (clientId, symbol) =>
        store.change(id, clientId, (account) => {
          const order = account.orders.get(clientId);
          if (!order) throw new ExchangeRefusal('unknown_order', 'The exchange does not know this order');
          settleAll(account, now());
          cancelOrder(account, find(symbol).world, order, now());
          return reportOf(order);
        }),
    }),
  };
}

/** What a person can get back to, whatever they did. */
export const resetAccount = (account: DemoAccount): void => {
  account.balances.clear();
  for (const [asset, balance] of startingBalances()) account.balances.set(asset, balance);
  for (const order of account.orders.values()) {
    if (!isFinal(order.state)) Object.assign(order, { state: 'canceled', reason: 'The account was reset', held: '0' });
  }
};

export const demoAssetOf = (asset: string): DemoAsset | undefined => demoAssets.find((each) => each.asset === asset);

/** What all of a circulating supply comes to, in the quote. */
export const marketCap = (asset: DemoAsset, price: string): string => decimal(price).times(asset.supply).toFixed(0);
