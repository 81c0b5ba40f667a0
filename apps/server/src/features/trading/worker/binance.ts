import {
  type Candles,
  decimal,
  type ExchangeAccount,
  ExchangeBusy,
  ExchangeKeyRefusal,
  ExchangeRefusal,
  ExchangeUnclear,
  type Fill,
  type Interval,
  type Market,
  type MarketData,
  type OrderReport,
  type OrderRequest,
  type OrderState,
} from '@atoll/trading';
import type { RealExchange } from './messages.ts';

/**
 * Binance through ccxt, which signs and knows the errors. Its implicit calls are used, one for each address: amounts
 * stay the text they are, and nothing is asked for by the way (ccxt's unified calls load currencies from other hosts).
 */
export type BinanceExchange = MarketData & ExchangeAccount;

type Raw = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: ccxt's implicit calls have no types of their own.
type Client = any;

const blocked = 'https://blocked.invalid';
const recvWindow = 5_000;
const timeoutMs = 10_000;
const mostCandlesAtOnce = 1_000;

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const plain = (value: unknown): string => decimal(text(value) || 0).toFixed();
const list = (value: unknown): Raw[] => (Array.isArray(value) ? (value as Raw[]) : []);

/** Every address of ccxt's is replaced: what is not used here leads nowhere. */
function pointTo(client: Client, url: string, isLive: boolean): void {
  const { host } = new URL(url);
  const own: Record<string, string> = {
    public: `${url}/api/v3`,
    private: `${url}/api/v3`,
    v1: `${url}/api/v1`,
    ...(isLive ? { sapi: `${url}/sapi/v1` } : {}),
  };
  for (const tier of Object.keys(client.urls.api)) client.urls.api[tier] = own[tier] ?? blocked;
  for (const address of Object.values(client.urls.api) as string[]) {
    if (![host, new URL(blocked).host].includes(new URL(address).host)) throw new Error(`ccxt would ask ${address}`);
  }
}

const states: Record<string, Exclude<OrderState, 'formed'>> = {
  NEW: 'open',
  PENDING_NEW: 'open',
  PARTIALLY_FILLED: 'open',
  PENDING_CANCEL: 'open',
  FILLED: 'closed',
  CANCELED: 'canceled',
  REJECTED: 'rejected',
  EXPIRED: 'expired',
  EXPIRED_IN_MATCH: 'expired',
};
const types = {
  market: 'MARKET',
  limit: 'LIMIT',
  stop: 'STOP_LOSS',
  stop_limit: 'STOP_LOSS_LIMIT',
  take_profit: 'TAKE_PROFIT',
} as const;
const ownType = (type: string): OrderRequest['type'] => {
  const found = (Object.keys(types) as OrderRequest['type'][]).find((each) => types[each] === type);
  return found ?? 'limit';
};

/** Codes after which it is not known whether an order was taken. */
const unclearCodes = new Set(['-1000', '-1001', '-1006', '-1007', '-1008', '-1016']);
const keyCodes = new Set(['-2014', '-2015', '-1022', '-1002']);
const unknownOrder = '-2013';
const cancelRejected = '-2011';
const clockCode = '-1021';

const codeOf = (message: string): string | null => /"code":\s*"?(-?\d+)/.exec(message)?.[1] ?? null;
const wordsOf = (message: string): string => /"msg":\s*"([^"]*)"/.exec(message)?.[1] ?? message;

/** Shared by all who ask from this address: the exchange counts by address, not by key. */
export interface Budget {
  restUntil: number;
}
/** Of the weight that the exchange allows in a minute (6,000), this much is used and no more. */
const mostWeight = 4_800;
const minuteMs = 60_000;

export async function binance(
  exchange: RealExchange,
  url: string,
  key: { apiKey: string; secret: string } | null,
  budget: Budget = { restUntil: 0 },
): Promise<BinanceExchange> {
  const ccxt = await import('ccxt');
  const isLive = exchange === 'binance';
  const client: Client = new ccxt.binance({ enableRateLimit: false, timeout: timeoutMs, ...(key ?? {}) });
  pointTo(client, url, isLive);
  client.options.recvWindow = recvWindow;
  client.options.timeDifference = 0;
  let isTimed = false;

  /** What ccxt threw, as one of the four things it can mean. */
  function meaning(error: unknown): Error {
    const message = error instanceof Error ? error.message : String(error);
    const code = codeOf(message);
    if (error instanceof ccxt.RateLimitExceeded || error instanceof ccxt.DDoSProtection) {
      const wait = Number(
        client.last_response_headers?.['Retry-After'] ?? client.last_response_headers?.['retry-after'] ?? 60,
      );
      budget.restUntil = Date.now() + (Number.isFinite(wait) ? wait : 60) * 1000;
      return new ExchangeBusy(budget.restUntil, `The exchange wants no requests for ${wait} s`);
    }
    if (code && unclearCodes.has(code)) return new ExchangeUnclear(wordsOf(message));
    if ((code && keyCodes.has(code)) || error instanceof ccxt.AuthenticationError) {
      return new ExchangeKeyRefusal(wordsOf(message));
    }
    // Refused before anything was done with it.
    if (code === clockCode) return new ExchangeRefusal(code, wordsOf(message));
    if (error instanceof ccxt.NetworkError || error instanceof ccxt.OperationFailed)
      return new ExchangeUnclear(wordsOf(message));
    if (code) return new ExchangeRefusal(code, wordsOf(message));
    return new ExchangeUnclear(message);
  }

  async function syncClock(): Promise<void> {
    const before = Date.now();
    const answer = await client.publicGetTime();
    const after = Date.now();
    client.options.timeDifference = Math.round((before + after) / 2) - Number(answer.serverTime);
    isTimed = true;
  }

  async function ask(call: () => Promise<unknown>): Promise<unknown> {
    if (Date.now() < budget.restUntil) {
      throw new ExchangeBusy(budget.restUntil, 'The exchange wants no requests at the moment');
    }
    try {
      const answer = await call();
      const used = Number(client.last_response_headers?.['X-Mbx-Used-Weight-1m'] ?? 0);
      if (used > mostWeight) budget.restUntil = Math.ceil(Date.now() / minuteMs) * minuteMs;
      return answer;
    } catch (error) {
      throw meaning(error);
    }
  }
  /** A clock that is off is set right once: such a request is refused before anything is done with it. */
  async function askSigned(call: () => Promise<unknown>): Promise<unknown> {
    if (!isTimed) await ask(syncClock);
    try {
      return await ask(call);
    } catch (error) {
      if (!(error instanceof ExchangeRefusal) || error.code !== clockCode) throw error;
      await ask(syncClock);
      return ask(call);
    }
  }

  let known: Promise<Market[]> | null = null;
  let knownAt = 0;
  const marketsMs = 3_600_000;
  function markets(): Promise<Market[]> {
    if (known && Date.now() - knownAt < marketsMs) return known;
    knownAt = Date.now();
    known = loadMarkets();
    known.catch(() => {
      known = null;
    });
    return known;
  }
  async function loadMarkets(): Promise<Market[]> {
    const info = (await ask(() => client.publicGetExchangeInfo())) as Raw;
    return list(info.symbols).map((each) => {
      const filter = (...names: string[]) =>
        list(each.filters).find(({ filterType }) => names.includes(text(filterType))) ?? {};
      const [lot, price, notional] = [filter('LOT_SIZE'), filter('PRICE_FILTER'), filter('NOTIONAL', 'MIN_NOTIONAL')];
      const [base, quote] = [text(each.baseAsset), text(each.quoteAsset)];
      return {
        symbol: `${base}/${quote}`,
        base,
        quote,
        amountStep: plain(lot.stepSize ?? '0.00000001'),
        priceTick: plain(price.tickSize ?? '0.00000001'),
        minAmount: plain(lot.minQty ?? 0),
        maxAmount: lot.maxQty ? plain(lot.maxQty) : null,
        minNotional: plain(notional.minNotional ?? 0),
        makerFee: '0.001',
        takerFee: '0.001',
        isActive: each.status === 'TRADING' && text(each.isSpotTradingAllowed) !== 'false',
      };
    });
  }
  /** BTC/USDT is BTCUSDT there. */
  async function marketOf(symbol: string): Promise<{ market: Market; id: string }> {
    const market = (await markets()).find((each) => each.symbol === symbol);
    if (!market) throw new ExchangeRefusal('unknown_market', `There is no market ${symbol} any more`);
    return { market, id: market.base + market.quote };
  }
  async function symbolOf(id: string): Promise<string | null> {
    return (await markets()).find(({ base, quote }) => base + quote === id)?.symbol ?? null;
  }

  const fillOf = (each: Raw): Fill => ({
    id: text(each.tradeId ?? each.id),
    amount: plain(each.qty),
    price: plain(each.price),
    fee: plain(each.commission),
    feeAsset: text(each.commissionAsset),
    at: Number(each.time ?? each.transactTime ?? Date.now()),
  });

  async function reportOf(order: Raw, symbol: string, fills?: Fill[]): Promise<OrderReport> {
    const filled = plain(order.executedQty);
    return {
      clientId: text(order.origClientOrderId || order.clientOrderId),
      exchangeId: text(order.orderId),
      symbol,
      side: text(order.side) === 'SELL' ? 'sell' : 'buy',
      type: ownType(text(order.type)),
      amount: plain(order.origQty),
      price: decimal(text(order.price) || 0).gt(0) ? plain(order.price) : null,
      stopPrice: decimal(text(order.stopPrice) || 0).gt(0) ? plain(order.stopPrice) : null,
      // A state from a newer version of the exchange is no end.
      state: states[text(order.status)] ?? 'open',
      filled,
      fills: fills ?? (decimal(filled).gt(0) ? await fillsOf(symbol, text(order.orderId)) : []),
      reason: null,
      at: Number(order.updateTime ?? order.transactTime ?? Date.now()),
    };
  }
  async function fillsOf(symbol: string, orderId: string): Promise<Fill[]> {
    const { id } = await marketOf(symbol);
    return list(await askSigned(() => client.privateGetMyTrades({ symbol: id, orderId }))).map(fillOf);
  }

  async function find(clientId: string, symbol: string): Promise<OrderReport | null> {
    const { id } = await marketOf(symbol);
    try {
      const order = await askSigned(() => client.privateGetOrder({ symbol: id, origClientOrderId: clientId }));
      return await reportOf({ ...(order as Raw), origClientOrderId: clientId }, symbol);
    } catch (error) {
      if (error instanceof ExchangeRefusal && error.code === unknownOrder) return null;
      throw error;
    }
  }

  return {
    markets,
    async tickers() {
      const bySymbol = new Map((await markets()).map(({ symbol, base, quote }) => [base + quote, symbol]));
      const answer = list(await ask(() => client.publicGetTicker24hr()));
      return answer.flatMap((each) => {
        const symbol = bySymbol.get(text(each.symbol));
        if (!symbol) return [];
        return [
          {
            symbol,
            last: plain(each.lastPrice),
            bid: plain(each.bidPrice),
            ask: plain(each.askPrice),
            change: Number(each.priceChangePercent),
            volume: plain(each.quoteVolume),
            at: Date.now(),
          },
        ];
      });
    },
    async candles(symbol: string, interval: Interval, to: number, limit: number): Promise<Candles> {
      const { id } = await marketOf(symbol);
      const rows: unknown[][] = [];
      let endTime = Math.min(to, Date.now());
      while (rows.length < limit) {
        const count = Math.min(limit - rows.length, mostCandlesAtOnce);
        const page = (await ask(() =>
          client.publicGetKlines({ symbol: id, interval, endTime, limit: count }),
        )) as unknown[][];
        rows.unshift(...page);
        const first = page[0]?.[0];
        if (page.length < count || first === undefined) break;
        endTime = Number(first) - 1;
      }
      const column = (index: number) => Float64Array.from(rows, (row) => Number(row[index]));
      return { time: column(0), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) };
    },
    async book(symbol, depth) {
      const { id } = await marketOf(symbol);
      const answer = (await ask(() => client.publicGetDepth({ symbol: id, limit: Math.max(depth, 5) }))) as Raw;
      const levels = (side: unknown) =>
        (Array.isArray(side) ? (side as unknown[][]) : [])
          .slice(0, depth)
          .map(([price, amount]) => ({ price: plain(price), amount: plain(amount) }));
      return { bids: levels(answer.bids), asks: levels(answer.asks), at: Date.now() };
    },
    async rights() {
      const account = (await askSigned(() => client.privateGetAccount({ omitZeroBalances: 'true' }))) as Raw;
      const canTrade = text(account.canTrade) === 'true';
      if (!isLive) return { canRead: true, canTrade, canWithdraw: false, canTransfer: false, isIpRestricted: null };
      const rights = (await askSigned(() => client.sapiGetAccountApiRestrictions())) as Raw;
      const has = (name: string) => text(rights[name]) === 'true';
      return {
        canRead: has('enableReading'),
        canTrade: canTrade && has('enableSpotAndMarginTrading'),
        canWithdraw: has('enableWithdrawals'),
        canTransfer: has('enableInternalTransfer') || has('permitsUniversalTransfer'),
        isIpRestricted: has('ipRestrict'),
      };
    },
    async balances() {
      const account = (await askSigned(() => client.privateGetAccount({ omitZeroBalances: 'true' }))) as Raw;
      return list(account.balances)
        .map(({ asset, free, locked }) => ({ asset: text(asset), free: plain(free), used: plain(locked) }))
        .filter(({ free, used }) => decimal(free).plus(used).gt(0));
    },
    async place(request: OrderRequest) {
      const { id } = await marketOf(request.symbol);
      const isLimit = request.price !== null;
      const order = (await askSigned(() =>
        client.privatePostOrder({
          symbol: id,
          side: request.side.toUpperCase(),
          type: types[request.type],
          quantity: request.amount,
          newClientOrderId: request.clientId,
          newOrderRespType: 'FULL',
          ...(isLimit ? { price: request.price, timeInForce: 'GTC' } : {}),
          ...(request.stopPrice === null ? {} : { stopPrice: request.stopPrice }),
        }),
      )) as Raw;
      // No answer that names the order is none.
      if (!order.orderId) throw new ExchangeUnclear('The exchange answered something else');
      const fills = list(order.fills).map((each) => fillOf({ time: order.transactTime, ...each }));
      // Orders that wait for a price are only acknowledged: what they are is what was sent.
      const full = {
        ...request,
        origQty: request.amount,
        side: request.side.toUpperCase(),
        status: 'NEW',
        executedQty: '0',
        ...order,
      };
      return reportOf({ ...full, type: types[request.type] }, request.symbol, fills);
    },
    find,
    async openOrders() {
      const orders = list(await askSigned(() => client.privateGetOpenOrders()));
      const reports: OrderReport[] = [];
      for (const order of orders) {
        const symbol = await symbolOf(text(order.symbol));
        if (symbol) reports.push(await reportOf(order, symbol));
      }
      return reports;
    },
    async filledSince(symbol, since) {
      const { id } = await marketOf(symbol);
      const orders = list(await askSigned(() => client.privateGetAllOrders({ symbol: id, startTime: since })));
      return orders
        .filter(({ executedQty }) => decimal(text(executedQty) || 0).gt(0))
        .map(({ clientOrderId }) => text(clientOrderId));
    },
    async cancel(clientId, symbol) {
      const { id } = await marketOf(symbol);
      try {
        await askSigned(() => client.privateDeleteOrder({ symbol: id, origClientOrderId: clientId }));
      } catch (error) {
        if (!(error instanceof ExchangeRefusal) || error.code !== cancelRejected) throw error;
      }
      const found = await find(clientId, symbol);
      if (!found) throw new ExchangeRefusal(unknownOrder, 'The exchange does not know this order');
      return found;
    },
  };
}
