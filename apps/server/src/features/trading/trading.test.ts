import type { ExchangeConnection, OrderPreview, TradingAsset, TradingOrder } from '@atoll/contract';
import { decimal } from '@atoll/trading';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { app, balance, last, of, order, pass, type Trader, trader, useTraders } from '../../test/set-ups/traders.ts';

useTraders();

describe('exchanges', () => {
  test('everyone has a demo account; three are coming soon and never connect', async () => {
    const { token, connection } = await trader();
    expect(connection).toMatchObject({
      type: 'demo',
      environment: 'demo',
      is_armed: true,
      state: 'active',
      key_hint: null,
    });
    const { body } = await app.get<{ exchanges: object[]; entries: object[] }>(token, '/v1/exchange_connections');
    expect(body.entries).toHaveLength(1);
    expect(body.exchanges).toMatchObject([
      { type: 'demo', is_connected: true },
      { type: 'binance_testnet', environment: 'testnet', is_coming_soon: false },
      { type: 'binance', environment: 'live', is_coming_soon: false },
      ...['kraken', 'kucoin', 'gateio'].map((type) => ({ type, is_coming_soon: true, is_connected: false })),
    ]);
    const key = { api_key: 'k'.repeat(20), secret: 's'.repeat(20) };
    for (const type of ['kraken', 'kucoin', 'gateio']) {
      const refused = await app.post<{ message: string }>(token, '/v1/exchange_connections', { type, ...key });
      expect(refused.status).toBe(422);
      expect(refused.body.message).toContain('coming soon');
    }
    const unknown = await app.call('POST', '/v1/exchange_connections', { token, body: { type: 'mtgox', ...key } });
    expect(unknown.status).toBe(422);
    expect((await app.call('DELETE', `/v1/exchange_connections/${connection.id}`, { token })).status).toBe(409);
  });

  test('one demo account, however many ask at once', async () => {
    const { token } = await app.person();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.call<{ entries: ExchangeConnection[] }>('GET', '/v1/exchange_connections', { token }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.entries[0]?.id)).size).toBe(1);
  });
});

describe('markets', () => {
  test('are listed with prices, searched, and marked as favorites', async () => {
    const { token } = await trader();
    const list = async (search = '') =>
      (await app.get<{ entries: TradingAsset[] }>(token, '/v1/trading/assets', search ? { search } : {})).body.entries;
    const all = await list();
    expect(all.length).toBe(12);
    expect(all[0]).toMatchObject({
      id: 'demo-BTC',
      remote_type: 'demo',
      remote_id: 'BTC/USDT',
      name: 'Bitcoin',
      quote: 'USDT',
    });
    expect(all[0]?.age).toBeGreaterThan(6_000);
    expect((await list('ether')).map(({ symbol }) => symbol)).toEqual(['ETH']);
    expect(await list('%')).toEqual([]);
    await app.call('PUT', '/v1/trading/assets/demo-ETH/favorite', { token });
    expect((await list('eth')).map(({ is_favorite }) => is_favorite)).toEqual([true]);
    await app.call('DELETE', '/v1/trading/assets/demo-ETH/favorite', { token });
    expect((await list('eth')).map(({ is_favorite }) => is_favorite)).toEqual([false]);
    expect((await app.call('PUT', '/v1/trading/assets/demo-NOPE/favorite', { token })).status).toBe(404);
  });

  test('a chart of five years of minutes is sent in at most 4,000 points', async () => {
    const { token } = await trader();
    const from = new Date(app.clock.time - 5 * 365 * 86_400_000).toISOString();
    const { body } = await app.get<{ time: number[]; is_thinned: boolean }>(token, '/v1/trading/chart', {
      asset: 'demo-LTC',
      interval: '1m',
      from,
    });
    expect(body.time.length).toBeGreaterThan(2_000);
    expect(body.time.length).toBeLessThanOrEqual(4_000);
    expect(body.is_thinned).toBe(true);
    const short = await app.get<{ time: number[]; close: number[] }>(token, '/v1/trading/chart', { asset: 'demo-BTC' });
    expect(short.body.time).toHaveLength(500);
    expect(short.body.close.at(-1)).toBe(Number(await last(token)));
    const wrong = await app.get(token, '/v1/trading/chart', { asset: 'demo-BTC', from: '2030-01-01T00:00:00Z' });
    expect(wrong.status).toBe(422);
  });
});

describe('orders', () => {
  test('a market order is filled and changes what one owns', async () => {
    const who = await trader();
    const placed = await order(who, { amount: '0.02' });
    expect(placed.body).toMatchObject({
      state: 'closed',
      filled: '0.02',
      environment: 'demo',
      source: 'person',
      reason: null,
    });
    expect(Object.keys(placed.body.fees)).toEqual(['BTC']);
    const { entries, total } = await balance(who);
    expect(of(entries, 'BTC')?.free).toBe('0.01998');
    expect(
      decimal(of(entries, 'USDT')?.free ?? 0)
        .plus(decimal(placed.body.average ?? 0).times('0.02'))
        .round(6)
        .toFixed(),
    ).toBe('10000');
    expect(Number(total)).toBeGreaterThan(9_900);
    const history = await app.get<{ entries: TradingOrder[]; total: number; page_size: number }>(
      who.token,
      '/v1/trading/transactions',
    );
    expect(history.body).toMatchObject({ total: 1, page_size: 10, entries: [{ id: placed.body.id }] });
  });

  test('sent again with its request id, also many times at once, is one order', async () => {
    const who = await trader();
    const request_id = newId();
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(who, { request_id })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(of((await balance(who)).entries, 'BTC')?.free).toBe('0.00999');
  });

  test('a limit order waits, holds its money, is filled when the price comes, also while no server runs', async () => {
    const who = await trader();
    const price = decimal(await last(who.token))
      .times('0.995')
      .round(2)
      .toFixed();
    const placed = await order(who, { type: 'limit', price, amount: '0.01' });
    expect(placed.body).toMatchObject({ state: 'open', filled: '0', price });
    expect(of((await balance(who)).entries, 'USDT')?.used).toBe(decimal(price).times('0.01').toFixed());
    pass(60 * 24 * 30);
    await balance(who);
    const { body } = await app.get<{ entries: TradingOrder[] }>(who.token, '/v1/trading/transactions');
    expect(body.entries[0]).toMatchObject({ id: placed.body.id, state: 'closed', filled: '0.01' });
    expect(decimal(body.entries[0]?.average ?? 0).lte(price)).toBe(true);
  });

  test('is canceled once, one or all; its money comes back', async () => {
    const who = await trader();
    const price = decimal(await last(who.token))
      .times('0.9')
      .round(2)
      .toFixed();
    const open = await Promise.all([1, 2, 3].map(() => order(who, { type: 'limit', price, amount: '0.01' })));
    const [first] = open;
    const cancel = () => app.call<TradingOrder>('DELETE', `/v1/trading/orders/${first?.body.id}`, { token: who.token });
    expect((await cancel()).body.state).toBe('canceled');
    expect((await cancel()).body.state).toBe('canceled');
    const all = await app.post<{ canceled: number }>(who.token, '/v1/trading/orders/cancel_all', {
      connection_id: who.connection.id,
    });
    expect(all.body.canceled).toBe(2);
    expect((await balance(who)).entries).toMatchObject([{ asset: 'USDT', free: '10000', used: '0' }]);
  });

  test('what the exchange refuses is rejected, with the reason, and stays in the history', async () => {
    const who = await trader();
    const placed = await order(who, { amount: '1' });
    expect(placed.status).toBe(200);
    expect(placed.body).toMatchObject({ state: 'rejected', filled: '0' });
    expect(placed.body.reason).toContain('USDT');
  });

  test.each([
    ['no market', { symbol: 'NOPE/USDT' }, 422],
    ['a price with too many digits', { type: 'limit', price: '50000.123' }, 422],
    ['no price', { type: 'limit' }, 422],
    ['dust', { amount: '0.00001' }, 422],
    ['too many digits', { amount: '0.0000001' }, 422],
    ['below zero', { amount: '-1' }, 422],
    ['no number', { amount: 'NaN' }, 422],
    ['an exponent', { amount: '1e5' }, 422],
    ['far too much', { amount: '999999999999999999999' }, 422],
    ['far from the price', { type: 'limit', price: '1', amount: '100' }, 422],
    ['a side that is none', { side: 'short' }, 422],
    ['a field that is none', { leverage: 100 }, 422],
    ['a connection that is none', { connection_id: newId() }, 404],
  ])('refuses %s, and nothing changes', async (_name, change, status) => {
    const who = await trader();
    expect((await order(who, change)).status).toBe(status);
    const { body } = await app.call<{ total: number }>('GET', '/v1/trading/transactions', { token: who.token });
    expect(body.total).toBe(0);
  });

  test('what it would cost is said before', async () => {
    const who = await trader();
    const preview = async (change: object) =>
      (
        await app.post<OrderPreview>(who.token, '/v1/trading/orders/preview', {
          connection_id: who.connection.id,
          symbol: 'BTC/USDT',
          side: 'buy',
          type: 'market',
          amount: '0.01',
          ...change,
        })
      ).body;
    const small = await preview({});
    expect(small).toMatchObject({ paid_with: 'USDT', problems: [] });
    expect(
      decimal(small.value)
        .plus(small.balance_after ?? 0)
        .toFixed(),
    ).toBe('10000');
    expect(Number(small.fee)).toBeCloseTo(Number(small.value) / 1000, 6);
    expect((await preview({ amount: '1' })).problems).toMatchObject([
      { field: 'amount', message: 'You have 10000 USDT' },
    ]);
    expect((await preview({ amount: '0.00001' })).problems).toMatchObject([
      { message: 'The least is an order of 5 USDT' },
    ]);
  });

  test('as csv', async () => {
    const who = await trader();
    await order(who);
    const csv = await app.call<string>('GET', '/v1/trading/transactions/csv', { token: who.token });
    expect(csv.body).toMatch(/^created_at,exchange,environment,symbol/);
    expect(csv.body.trim().split('\r\n')).toHaveLength(2);
  });
});

describe('the gate', () => {
  const limit = (who: Trader, limits: object) =>
    app.patch<ExchangeConnection>(who.token, `/v1/exchange_connections/${who.connection.id}`, { limits });

  test('holds limits for an order, a day and a minute, also for many orders at once', async () => {
    const who = await trader();
    await limit(who, { max_order: '100' });
    expect((await order(who, { amount: '0.01' })).body.details).toMatchObject({ code: 'order_too_large' });
    await limit(who, { max_order: null, orders_per_minute: 5 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => order(who, { amount: '0.001' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ body }) => body.details?.code === 'too_many_orders')).toHaveLength(7);
    pass(2);
    expect((await order(who, { amount: '0.001' })).status).toBe(200);
    await limit(who, { max_day: '10', orders_per_minute: 60 });
    expect((await order(who, { amount: '0.001' })).body.details).toMatchObject({ code: 'day_limit' });
    await limit(who, { max_day: null, symbols: ['ETH/USDT'] });
    expect((await order(who)).body.details).toMatchObject({ code: 'symbol_not_allowed' });
  });

  test('halted: everything is canceled and nothing taken until it is resumed', async () => {
    const who = await trader();
    const price = decimal(await last(who.token))
      .times('0.9')
      .round(2)
      .toFixed();
    await order(who, { amount: '0.01' });
    await order(who, { type: 'limit', price });
    const act = (path: string, body: object = {}) =>
      app.post<ExchangeConnection>(who.token, `/v1/exchange_connections/${who.connection.id}/${path}`, body);
    expect((await act('halt', { reason: 'Too wild' })).body).toMatchObject({
      state: 'halted',
      state_reason: 'Too wild',
    });
    const open = await app.get<{ total: number }>(who.token, '/v1/trading/transactions', { state: 'open' });
    expect(open.body.total).toBe(0);
    expect((await order(who)).body.details).toMatchObject({ code: 'halted' });
    await act('resume', { state: 'reducing' });
    expect((await order(who)).body.details).toMatchObject({ code: 'only_reducing' });
    expect((await order(who, { side: 'sell', amount: '0.00999' })).body.state).toBe('closed');
    await act('resume');
    expect((await order(who)).status).toBe(200);
  });

  test('the demo can be given its money back; its history stays', async () => {
    const who = await trader();
    await order(who);
    await app.call('POST', `/v1/exchange_connections/${who.connection.id}/reset`, { token: who.token });
    expect((await balance(who)).entries).toMatchObject([{ asset: 'USDT', free: '10000' }]);
    const { body } = await app.call<{ total: number }>('GET', '/v1/trading/transactions', { token: who.token });
    expect(body.total).toBe(1);
    const armed = await app.post(who.token, `/v1/exchange_connections/${who.connection.id}/arm`, {
      confirmation: 'LIVE',
      max_order: '1',
      max_day: '1',
    });
    expect(armed.status).toBe(409);
  });
});
