import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cancelOrder,
  type DemoAccount,
  type DemoMarket,
  type DemoOrder,
  decimal,
  demoMarkets,
  ExchangeRefusal,
  type Market,
  placeOrder,
  settleOrder,
  sum,
} from '@atoll/trading';
import { WebSocketServer } from 'ws';

/** What goes wrong with the next request of this kind. `after`: it was done, and the answer is lost. */
export interface Fault {
  on: string;
  kind:
    | 'hang_before'
    | 'hang_after'
    | 'drop_after'
    | 'drop_before'
    | '500_after'
    | '503_before'
    | '429'
    | '418'
    | 'garbage_after';
}

export interface TestKey {
  secret: string;
  canTrade?: boolean;
  canWithdraw?: boolean;
  isIpRestricted?: boolean;
}

/**
 * The part of Binance's REST interface that is used, from its public documents: signatures, time windows, filters, error
 * codes; and the ways in which it fails. Prices stand still until they are moved.
 */
export async function startBinanceTestServer({ isLive = false }: { isLive?: boolean } = {}) {
  const keys = new Map<string, TestKey>();
  const accounts = new Map<string, DemoAccount>();
  const prices = new Map(demoMarkets.map(({ symbol }, index) => [symbol, [50_000, 2_500, 150, 600][index] ?? 10]));
  const received: { name: string; params: URLSearchParams }[] = [];
  const faults: Fault[] = [];
  const vanished = new Set<string>();
  const control = { clockOffset: 0, feeAsset: null as string | null, usedWeight: 1 };
  const now = () => Date.now() + control.clockOffset;
  let at = 1_000;

  const worlds = new Map(demoMarkets.map((market) => [market.base + market.quote, worldOf(market)]));
  function worldOf(market: Market): DemoMarket {
    const price = () => prices.get(market.symbol) ?? 0;
    const text = (value: number) => decimal(value).div(market.priceTick).round(0).times(market.priceTick).toFixed();
    return {
      market,
      priceAt: () => text(price()),
      levels: (side) =>
        [1, 2, 3].map((step) => ({
          price: text(price() * (1 + ((side === 'buy' ? 1 : -1) * step) / 10_000)),
          amount: '100000',
        })),
      crossing: (_from, to, limit, direction) =>
        (direction === 'down' ? price() <= Number(limit) : price() >= Number(limit)) ? to : null,
      amountIn: () => '100000',
    };
  }
  const accountOf = (apiKey: string): DemoAccount => {
    const known = accounts.get(apiKey);
    if (known) return known;
    const made: DemoAccount = { balances: new Map([['USDT', { free: '100000', used: '0' }]]), orders: new Map() };
    accounts.set(apiKey, made);
    return made;
  };
  const settle = (account: DemoAccount) => {
    at += 120_000;
    for (const order of account.orders.values()) {
      const world = worlds.get(order.symbol.replace('/', ''));
      if (world && order.state === 'open') settleOrder(account, world, order, at);
    }
  };

  class ApiError extends Error {
    readonly status: number;
    readonly code: number;
    constructor(status: number, code: number, message: string) {
      super(message);
      this.status = status;
      this.code = code;
    }
  }
  const refuse = (code: number, message: string): never => {
    throw new ApiError(400, code, message);
  };

  const statusOf = (order: DemoOrder): string => {
    if (order.state === 'open') return order.fills.length > 0 ? 'PARTIALLY_FILLED' : 'NEW';
    return { closed: 'FILLED', canceled: 'CANCELED', expired: 'EXPIRED', rejected: 'REJECTED' }[order.state];
  };
  const idOf = (order: DemoOrder): number =>
    Number.parseInt(createHmac('sha256', 'id').update(order.clientId).digest('hex').slice(0, 8), 16);
  const tradeOf = (order: DemoOrder, index: number) => {
    const fill = order.fills[index];
    return {
      ...{
        price: fill?.price,
        qty: fill?.amount,
        time: Date.now(),
        orderId: idOf(order),
        tradeId: idOf(order) * 100 + index,
      },
      id: idOf(order) * 100 + index,
      commission: control.feeAsset ? '0.001' : fill?.fee,
      commissionAsset: control.feeAsset ?? fill?.feeAsset,
    };
  };
  const types = {
    market: 'MARKET',
    limit: 'LIMIT',
    stop: 'STOP_LOSS',
    stop_limit: 'STOP_LOSS_LIMIT',
    take_profit: 'TAKE_PROFIT',
  };
  const view = (order: DemoOrder) => ({
    symbol: order.symbol.replace('/', ''),
    orderId: idOf(order),
    clientOrderId: order.clientId,
    price: order.price ?? '0',
    stopPrice: order.stopPrice ?? '0',
    origQty: order.amount,
    executedQty: sum(order.fills.map(({ amount }) => amount)).toFixed(),
    status: statusOf(order),
    type: types[order.type],
    side: order.side.toUpperCase(),
    updateTime: Date.now(),
  });

  const worldFor = (params: URLSearchParams): DemoMarket => {
    const id = params.get('symbol') ?? '';
    const world = worlds.get(id);
    if (!world || vanished.has(world.market.symbol)) return refuse(-1121, 'Invalid symbol.');
    return world;
  };
  const codes: Record<string, number> = { insufficient_funds: -2010, duplicate_order: -2010, would_trigger: -2010 };

  function place(account: DemoAccount, params: URLSearchParams) {
    const world = worldFor(params);
    const type =
      (Object.keys(types) as (keyof typeof types)[]).find((each) => types[each] === params.get('type')) ?? 'market';
    const clientId = params.get('newClientOrderId') ?? crypto.randomUUID().replaceAll('-', '');
    // As documented: an id is unique among open orders only.
    const known = account.orders.get(clientId);
    if (known && known.state !== 'open') account.orders.delete(clientId);
    try {
      const order = placeOrder(
        account,
        world,
        {
          ...{ clientId, symbol: world.market.symbol, type, amount: params.get('quantity') ?? '0' },
          side: params.get('side') === 'SELL' ? 'sell' : 'buy',
          ...{ price: params.get('price'), stopPrice: params.get('stopPrice') },
        },
        at,
      );
      return { ...view(order), transactTime: Date.now(), fills: order.fills.map((_, index) => tradeOf(order, index)) };
    } catch (error) {
      if (!(error instanceof ExchangeRefusal)) throw error;
      return refuse(codes[error.code] ?? -1013, error.message);
    }
  }
  const findOrder = (account: DemoAccount, params: URLSearchParams, code: number): DemoOrder => {
    const wanted = params.get('origClientOrderId');
    const order = [...account.orders.values()].find((each) => each.clientId === wanted);
    return order ?? refuse(code, code === -2013 ? 'Order does not exist.' : 'Unknown order sent.');
  };

  const open: Record<string, (params: URLSearchParams) => unknown> = {
    'GET /api/v3/time': () => ({ serverTime: now() }),
    'GET /api/v3/exchangeInfo': () => ({
      symbols: demoMarkets
        .filter(({ symbol }) => !vanished.has(symbol))
        .map((market) => ({
          symbol: market.base + market.quote,
          baseAsset: market.base,
          quoteAsset: market.quote,
          status: 'TRADING',
          isSpotTradingAllowed: true,
          filters: [
            { filterType: 'PRICE_FILTER', tickSize: market.priceTick },
            { filterType: 'LOT_SIZE', stepSize: market.amountStep, minQty: market.minAmount, maxQty: market.maxAmount },
            { filterType: 'NOTIONAL', minNotional: market.minNotional },
          ],
        })),
    }),
    'GET /api/v3/ticker/24hr': () =>
      [...worlds].map(([symbol, world]) => ({
        symbol,
        lastPrice: world.priceAt(at),
        bidPrice: [...world.levels('sell', at)][0]?.price,
        askPrice: [...world.levels('buy', at)][0]?.price,
        priceChangePercent: '1.5',
        quoteVolume: '1000000',
      })),
    'GET /api/v3/depth': (params) => {
      const world = worldFor(params);
      const side = (of: 'buy' | 'sell') => [...world.levels(of, at)].map(({ price, amount }) => [price, amount]);
      return { bids: side('sell'), asks: side('buy') };
    },
    'GET /api/v3/klines': (params) => {
      const length = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 }[params.get('interval') ?? '1h'] ?? 3_600_000;
      const limit = Math.min(Number(params.get('limit') ?? 500), 1000);
      const last = Math.floor(Number(params.get('endTime') ?? now()) / length) * length;
      const price = worldFor(params).priceAt(at);
      return Array.from({ length: limit }, (_, index) => [
        last - (limit - 1 - index) * length,
        price,
        price,
        price,
        price,
        '10',
      ]);
    },
  };
  const signed: Record<string, (params: URLSearchParams, account: DemoAccount, key: TestKey) => unknown> = {
    'GET /api/v3/account': (_params, { balances }, key) => ({
      canTrade: key.canTrade ?? true,
      balances: [...balances].map(([asset, { free, used }]) => ({ asset, free, locked: used })),
    }),
    'POST /api/v3/order': (params, account) => place(account, params),
    'GET /api/v3/order': (params, account) => view(findOrder(account, params, -2013)),
    'DELETE /api/v3/order': (params, account) => {
      const order = findOrder(account, params, -2011);
      if (order.state !== 'open') return refuse(-2011, 'Unknown order sent.');
      cancelOrder(account, worldFor(params), order, at);
      return view(order);
    },
    'GET /api/v3/openOrders': (_params, account) =>
      [...account.orders.values()].filter(({ state }) => state === 'open').map(view),
    'GET /api/v3/allOrders': (params, account) => {
      const { symbol } = worldFor(params).market;
      return [...account.orders.values()].filter((order) => order.symbol === symbol).map(view);
    },
    'GET /api/v3/myTrades': (params, account) =>
      [...account.orders.values()]
        .filter((order) => String(idOf(order)) === params.get('orderId'))
        .flatMap((order) => order.fills.map((_, index) => tradeOf(order, index))),
    ...(isLive && {
      'GET /sapi/v1/account/apiRestrictions': (_params: URLSearchParams, _account: DemoAccount, key: TestKey) => ({
        enableReading: true,
        enableSpotAndMarginTrading: key.canTrade ?? true,
        enableWithdrawals: key.canWithdraw ?? false,
        enableInternalTransfer: false,
        permitsUniversalTransfer: false,
        ipRestrict: key.isIpRestricted ?? false,
      }),
    }),
  };

  function authenticate(request: IncomingMessage, all: string): { apiKey: string; key: TestKey } {
    const apiKey = String(request.headers['x-mbx-apikey'] ?? '');
    const key = keys.get(apiKey);
    if (!key) throw new ApiError(401, -2015, 'Invalid API-key, IP, or permissions for action.');
    const cut = all.lastIndexOf('&signature=');
    const wanted = createHmac('sha256', key.secret).update(all.slice(0, cut)).digest('hex');
    if (cut < 0 || all.slice(cut + '&signature='.length) !== wanted)
      return refuse(-1022, 'Signature for this request is not valid.');
    const params = new URLSearchParams(all);
    const [timestamp, window] = [Number(params.get('timestamp')), Number(params.get('recvWindow') ?? 5_000)];
    if (timestamp >= now() + 1_000 || now() - timestamp > window) {
      return refuse(-1021, 'Timestamp for this request is outside of the recvWindow.');
    }
    return { apiKey, key };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    for await (const chunk of request) body += chunk;
    const all = [url.search.slice(1), body].filter(Boolean).join('&');
    const params = new URLSearchParams(all);
    const name = `${request.method} ${url.pathname}`;
    received.push({ name, params });
    const index = faults.findIndex(({ on }) => on === name);
    const fault = index >= 0 ? faults.splice(index, 1)[0]?.kind : undefined;
    const send = (status: number, value: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'X-MBX-USED-WEIGHT-1M': String(control.usedWeight),
        ...headers,
      });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    if (fault === '429' || fault === '418') {
      return send(Number(fault), { code: -1003, msg: 'Too many requests.' }, { 'Retry-After': '1' });
    }
    if (fault === '503_before') return send(503, 'Service Unavailable');
    if (fault === 'hang_before') return;
    if (fault === 'drop_before') return void request.socket.destroy();
    try {
      const isOpen = open[name];
      const isSigned = signed[name];
      let value: unknown;
      if (isOpen) value = isOpen(params);
      else if (isSigned) {
        const { apiKey, key } = authenticate(request, all);
        const account = accountOf(apiKey);
        settle(account);
        value = isSigned(params, account, key);
      } else return send(404, { code: -1, msg: 'Not found' });
      if (fault === 'drop_after') return void request.socket.destroy();
      if (fault === 'hang_after') return;
      if (fault === '500_after')
        return send(500, { code: -1000, msg: 'An unknown error occurred while processing the request.' });
      if (fault === 'garbage_after') return send(200, '<html>not json</html>');
      send(200, value);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      send(error.status, { code: error.code, msg: error.message });
    }
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => response.destroy(error as Error));
  });
  const streams = new WebSocketServer({ server, path: '/stream' });
  const books = new Set<string>();
  streams.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { method, params, id } = JSON.parse(String(data)) as { method: string; params: string[]; id: number };
      for (const each of params) {
        if (method === 'SUBSCRIBE') books.add(each);
        else books.delete(each);
      }
      socket.send(JSON.stringify({ result: null, id }));
    });
  });
  const stream = (name: string, data: unknown) => {
    for (const socket of streams.clients) socket.send(JSON.stringify({ stream: name, data }));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    streamUrl: `ws://127.0.0.1:${port}`,
    streams: {
      connections: () => streams.clients.size,
      books,
      /** As it does each second, of what has changed. */
      tick(symbol: string, last: string) {
        const market = { e: '24hrMiniTicker', s: symbol.replace('/', ''), c: last, o: '40000', q: '1000' };
        stream('!miniTicker@arr', [market]);
      },
      book: (name: string, data: { bids: string[][]; asks: string[][] }) => stream(name, { lastUpdateId: 1, ...data }),
      drop() {
        for (const socket of streams.clients) socket.terminate();
      },
    },
    control,
    faults,
    received,
    vanished,
    addKey: (apiKey: string, key: TestKey) => void keys.set(apiKey, key),
    ordersOf: (apiKey: string) => [...accountOf(apiKey).orders.values()],
    /** As the testnet does each month. */
    reset: (apiKey: string) => void accounts.delete(apiKey),
    move(symbol: string, percent: number) {
      prices.set(symbol, (prices.get(symbol) ?? 0) * (1 + percent / 100));
    },
    /** Placed by another program. */
    placeElsewhere: (apiKey: string, params: Record<string, string>) =>
      place(accountOf(apiKey), new URLSearchParams(params)),
    async close() {
      for (const socket of streams.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type BinanceTestServer = Awaited<ReturnType<typeof startBinanceTestServer>>;
