import type { ExchangeConnection } from '@atoll/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { type BinanceTestServer, startBinanceTestServer } from '../trading/worker/binance-test-server.ts';
import { type Runner, strategyRunner, swing } from './test-runs.ts';

const hour = 3_600_000;
let servers: { binance: BinanceTestServer; binance_testnet: BinanceTestServer };
let app: TestApp;
let it: ReturnType<typeof strategyRunner>;

beforeAll(async () => {
  servers = {
    binance: await startBinanceTestServer({ isLive: true }),
    binance_testnet: await startBinanceTestServer(),
  };
  app = await createTestApp({
    keepOpen: true,
    env: {
      ATOLL_EXCHANGES: 'on',
      BINANCE_URL: servers.binance.url,
      BINANCE_TESTNET_URL: servers.binance_testnet.url,
    },
  });
  it = strategyRunner(app);
});
afterAll(async () => {
  await app.close();
  await Promise.all(Object.values(servers).map((each) => each.close()));
});
beforeEach(() => {
  // No bar of an hour ends while the clock is moved for the queue.
  app.clock.time = Math.ceil(app.clock.time / hour) * hour + 60_000;
  for (const each of Object.values(servers)) each.faults.length = 0;
});

const byTheHour = { settings: { symbols: ['BTC/USDT'], timeframe: '1h' } };
/** Buys once, with a stop below. */
const buysWithStop = `export default strategy({
  start({ market, state }) {
    return { onBar() {
      if (state.bought) return;
      state.bought = true;
      market.buy({ quote: 100, stop: market.close() * 0.95, reason: 'once' });
    } };
  },
});`;

async function runnerOn(type: keyof typeof servers, code = swing): Promise<Runner & { apiKey: string }> {
  const who = await it.runner(code);
  const apiKey = `key-${newId()}`;
  servers[type].addKey(apiKey, { secret: 'a secret of some length', isIpRestricted: true });
  const { body, status } = await app.post<ExchangeConnection & { message: string }>(
    who.token,
    '/v1/exchange_connections',
    { type, api_key: apiKey, secret: 'a secret of some length' },
  );
  expect(status, body.message).toBe(200);
  return { ...who, connectionId: body.id, apiKey };
}
const arm = ({ token, connectionId }: Runner) =>
  app.post(token, `/v1/exchange_connections/${connectionId}/arm`, {
    confirmation: 'LIVE',
    max_order: '600',
    max_day: '1000',
  });
const ordered = async (who: Runner) =>
  (await it.ordersOf(who))
    .toSorted((one, two) => one.createdAt.getTime() - two.createdAt.getTime())
    .map(({ side, type, state }) => `${side} ${type} ${state}`);
/** What the queue does is tried again after a while, by the app's clock. */
const until = (what: () => Promise<unknown>, wanted: unknown) =>
  expect
    .poll(
      async () => {
        app.clock.time += 1_000;
        return what();
      },
      { interval: 100 },
    )
    .toEqual(wanted);
const sent = (who: { apiKey: string }, type: keyof typeof servers) =>
  servers[type].ordersOf(who.apiKey).map(({ side, type: kind, state }) => `${side} ${kind} ${state}`);

describe('a strategy on an exchange', () => {
  test.each(['binance_testnet', 'binance'] as const)('trades on %s bar by bar, each decision once', async (type) => {
    const who = await runnerOn(type);
    if (type === 'binance') await arm(who);
    const { body: run, status } = await it.begin(who, byTheHour);
    expect(status, run.message).toBe(200);
    expect(run.environment).toBe(type === 'binance' ? 'live' : 'testnet');
    app.clock.time += hour;
    // The answer to its first order is lost: it is asked for, and not sent again.
    servers[type].faults.push({ on: 'POST /api/v3/order', kind: 'drop_after' });
    await it.step(run.id);
    await until(() => ordered(who), ['buy market closed']);
    // By the exchange's word it knows what it has, before the next bar.
    await until(async () => (await it.runOf(who)).positions.map(({ symbol }) => symbol), ['BTC/USDT']);
    app.clock.time += hour;
    await it.step(run.id);
    await until(() => ordered(who), ['buy market closed', 'sell market closed']);
    expect(sent(who, type)).toEqual(['buy market closed', 'sell market closed']);
    await until(async () => (await it.runOf(who)).positions, []);
    expect((await it.decisionsOf(who, run.id)).map(({ why }) => why)).toEqual(['bar 2', 'bar 1']);
    expect((await it.change(who, run.id, { action: 'stop' })).body.state).toBe('stopped');
  });

  test('places the stop of a purchase when the exchange has told of it, and not at the next bar', async () => {
    const who = await runnerOn('binance_testnet', buysWithStop);
    const { body: run } = await it.begin(who, byTheHour);
    app.clock.time += hour;
    await it.step(run.id);
    await until(() => ordered(who), ['buy market closed', 'sell stop open']);
    expect(sent(who, 'binance_testnet')).toEqual(['buy market closed', 'sell stop open']);
    await app.call('POST', `/v1/exchange_connections/${who.connectionId}/halt`, { token: who.token, body: {} });
    await until(() => ordered(who), ['buy market closed', 'sell stop canceled']);
    app.clock.time += hour;
    await it.step(run.id);
    expect(await it.runOf(who)).toMatchObject({ state: 'paused', reason: expect.stringContaining('halted') });
    expect(sent(who, 'binance_testnet')).toEqual(['buy market closed', 'sell stop canceled']);
  });

  test('with real money orders nothing until that is armed', async () => {
    const who = await runnerOn('binance');
    const { body: run } = await it.begin(who, byTheHour);
    app.clock.time += hour;
    await it.step(run.id);
    expect(await it.decisionsOf(who, run.id)).toMatchObject([{ state: 'refused', reason: expect.any(String) }]);
    expect(sent(who, 'binance')).toEqual([]);
  });
});
