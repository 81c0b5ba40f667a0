import {
  type ExchangeAccount,
  ExchangeBusy,
  ExchangeKeyRefusal,
  ExchangeUnclear,
  type OrderRequest,
} from '@atoll/trading';
import { exchangeSuite } from '@atoll/trading/exchange-suite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { binance } from './binance.ts';
import { type BinanceTestServer, startBinanceTestServer } from './binance-test-server.ts';

let server: BinanceTestServer;
beforeAll(async () => {
  server = await startBinanceTestServer({ isLive: true });
});
afterAll(() => server.close());

let count = 0;
async function account(change: object = {}) {
  const apiKey = `key${++count}`.padEnd(20, 'x');
  server.addKey(apiKey, { secret: 'secret', ...change });
  return { apiKey, exchange: await binance('binance', server.url, { apiKey, secret: 'secret' }) };
}

exchangeSuite('Binance', async () => {
  const { exchange } = await account();
  return {
    data: exchange,
    account: exchange,
    symbol: 'ETH/USDT',
    move: async (percent) => server.move('ETH/USDT', percent),
  };
});

describe('Binance that fails', () => {
  let apiKey: string;
  let exchange: ExchangeAccount;
  beforeEach(async () => {
    server.faults.length = 0;
    server.control.clockOffset = 0;
    ({ apiKey, exchange } = await account());
    await exchange.balances();
  });
  const buy = (clientId: string): OrderRequest => ({
    ...{ clientId, symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: '0.01', price: null, stopPrice: null },
  });

  test.each(['drop_after', '500_after', 'garbage_after'] as const)(
    '%s: unclear, and asking finds the order',
    async (kind) => {
      server.faults.push({ on: 'POST /api/v3/order', kind });
      await expect(exchange.place(buy('a'))).rejects.toBeInstanceOf(ExchangeUnclear);
      expect(await exchange.find('a', 'BTC/USDT')).toMatchObject({ state: 'closed', filled: '0.01' });
      expect(server.ordersOf(apiKey)).toHaveLength(1);
    },
  );

  test.each(['drop_before', '503_before'] as const)('%s: unclear, and asking finds nothing', async (kind) => {
    server.faults.push({ on: 'POST /api/v3/order', kind });
    await expect(exchange.place(buy('a'))).rejects.toBeInstanceOf(ExchangeUnclear);
    expect(await exchange.find('a', 'BTC/USDT')).toBeNull();
  });

  test.each(['429', '418'] as const)('%s: nothing more is asked until it wants to hear of us again', async (kind) => {
    server.faults.push({ on: 'POST /api/v3/order', kind });
    await expect(exchange.place(buy('a'))).rejects.toBeInstanceOf(ExchangeBusy);
    const before = server.received.length;
    await expect(exchange.balances()).rejects.toBeInstanceOf(ExchangeBusy);
    expect(server.received.length).toBe(before);
  });

  test('nothing more is asked in a minute of which most is used up, by whatever key', async () => {
    const budget = { restUntil: 0 };
    const one = await binance('binance', server.url, { apiKey, secret: 'secret' }, budget);
    const other = await binance('binance', server.url, { apiKey, secret: 'secret' }, budget);
    server.control.usedWeight = 5_000;
    await one.markets();
    server.control.usedWeight = 1;
    await expect(other.markets()).rejects.toBeInstanceOf(ExchangeBusy);
    expect(budget.restUntil).toBeGreaterThan(Date.now());
  });

  test('a clock that is five seconds off is set right, in both directions', async () => {
    for (const offset of [-5_500, 5_500]) {
      server.control.clockOffset = offset;
      expect(await exchange.place(buy(`c${offset + 9_000}`))).toMatchObject({ state: 'closed' });
    }
    expect(server.ordersOf(apiKey)).toHaveLength(2);
  });

  test('a wrong secret, a key that is none', async () => {
    const wrong = await binance('binance', server.url, { apiKey, secret: 'other' });
    await expect(wrong.balances()).rejects.toBeInstanceOf(ExchangeKeyRefusal);
    const none = await binance('binance', server.url, { apiKey: 'nobody', secret: 'other' });
    await expect(none.balances()).rejects.toBeInstanceOf(ExchangeKeyRefusal);
  });

  test('fees in a third asset, and all that was asked stayed here', async () => {
    server.control.feeAsset = 'BNB';
    const report = await exchange.place(buy('bnb'));
    server.control.feeAsset = null;
    expect(report.fills).toMatchObject([{ fee: '0.001', feeAsset: 'BNB' }]);
    expect(server.received.every(({ name }) => /^(GET|POST|DELETE) \/s?api\/v/.test(name))).toBe(true);
  });
});
