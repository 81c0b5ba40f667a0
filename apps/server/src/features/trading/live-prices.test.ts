import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../platform/context.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { livePrices } from './service/live-prices.ts';
import { tickersOf } from './service/markets.ts';
import { type BinanceTestServer, startBinanceTestServer } from './worker/binance-test-server.ts';

let exchange: BinanceTestServer;
let app: TestApp;
let ctx: Context;
beforeAll(async () => {
  exchange = await startBinanceTestServer();
  app = await createTestApp({
    keepOpen: true,
    env: {
      ATOLL_EXCHANGES: 'on',
      BINANCE_TESTNET_URL: exchange.url,
      BINANCE_TESTNET_STREAM_URL: exchange.streamUrl,
    },
  });
  ctx = app.app.system();
});
afterAll(async () => {
  await app.close();
  await exchange.close();
});

const polls = () => exchange.received.filter(({ name }) => name === 'GET /api/v3/ticker/24hr').length;
const isQuiet = () => expect.poll(() => livePrices(ctx).watched).toEqual([]);

type Watcher = Parameters<ReturnType<typeof livePrices>['watch']>[1];
const watcher = (topic: string, told: unknown[]): Watcher => ({
  channel: { topic },
  broadcast: (event: string, payload: object) => told.push({ event, payload }),
});

test('2,000 people who watch an exchange are one stream, one poll and one message', async () => {
  const told: unknown[] = [];
  const people = Array.from({ length: 2_000 }, () => watcher('market_prices:binance_testnet', told));
  for (const each of people) livePrices(ctx).watch('binance_testnet', each, null);
  await expect.poll(exchange.streams.connections).toBe(1);
  exchange.streams.tick('BTC/USDT', '50100.00');
  const price = { symbol: 'BTC/USDT', last: '50100', change: 25.25, volume: '1000' };
  await expect.poll(() => told).toContainEqual({ event: 'prices_changed', payload: { entries: [price] } });
  expect(told.filter((each) => JSON.stringify(each).includes('50100'))).toHaveLength(1);
  expect([exchange.streams.connections(), polls()]).toEqual([1, 1]);
  // What orders are checked against is as new as what is shown.
  expect((await tickersOf(ctx, 'binance_testnet')).get('BTC/USDT')).toMatchObject({ last: '50100' });
  for (const { channel } of people) livePrices(ctx).unwatch('binance_testnet', channel);
  await expect.poll(exchange.streams.connections).toBe(0);
  expect(livePrices(ctx).watched).toEqual([]);
});

test('a price and an order book reach those who watch that asset; a lost stream is said, asked for instead, and found again', async () => {
  const { token } = await app.person();
  const socket = await connect(app, token);
  const market = await join(socket, 'market:binance_testnet-BTC');
  expect(market.response).toMatchObject({ is_live: true });
  await expect.poll(() => [...exchange.streams.books]).toEqual(['btcusdt@depth10']);
  exchange.streams.tick('ETH/USDT', '2600.00');
  exchange.streams.tick('BTC/USDT', '50200.00');
  expect(await market.event('price_changed', ({ last }) => last === '50200')).toMatchObject({ change: 25.5 });
  expect(JSON.stringify(market.events)).not.toContain('2600');
  exchange.streams.book('btcusdt@depth10', { bids: [['50199.00', '1.50']], asks: [['50201.00', '2.00']] });
  expect(await market.event('book_changed')).toMatchObject({
    bids: [{ price: '50199', amount: '1.5' }],
    asks: [{ price: '50201', amount: '2' }],
  });

  exchange.move('BTC/USDT', 10);
  app.clock.advance(61_000);
  exchange.streams.drop();
  expect(await market.event('source_changed', ({ is_live }) => is_live === false)).toBeTruthy();
  expect(await market.event('price_changed', ({ last }) => last === '55000')).toBeTruthy();
  await expect.poll(exchange.streams.connections).toBe(1);
  exchange.streams.tick('BTC/USDT', '50300.00');
  expect(await market.event('price_changed', ({ last }) => last === '50300')).toBeTruthy();
  expect(await market.event('source_changed', ({ is_live }) => is_live === true)).toBeTruthy();
  market.channel.leave();
  await isQuiet();
});

test('the demo moves by itself for those who watch, and its list of markets with it', async () => {
  const { token } = await app.guest();
  const socket = await connect(app, token);
  const [market, prices] = [await join(socket, 'market:demo-BTC'), await join(socket, 'market_prices:demo')];
  expect([market.response, prices.response]).toMatchObject([{ is_live: true }, { is_live: true }]);
  await market.event('book_changed');
  const first = await market.event('price_changed');
  app.clock.advance(3_600_000);
  expect(await market.event('price_changed', ({ last }) => last !== first.last)).toBeTruthy();
  await prices.event('prices_changed', ({ entries }) => (entries as unknown[]).length > 5);
  socket.disconnect();
  await isQuiet();
});

test('an exchange that is not there cannot be watched', async () => {
  const { token } = await app.person();
  const socket = await connect(app, token);
  for (const topic of ['market_prices:nowhere', 'market_prices:kraken', 'market:nowhere-BTC', 'market:demo-NOTHING'])
    await expect(join(socket, topic)).rejects.toThrow('Join refused');
});
