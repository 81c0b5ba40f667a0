import type { TradingBalance } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { jobsTable } from '../../platform/jobs/table.ts';
import {
  app,
  type Connected,
  compare,
  connect,
  later,
  orders,
  place,
  rowOf,
  secret,
  servers,
  until,
  useExchanges,
} from '../../test/set-ups/exchanges.ts';
import { createTestApp } from '../../test/test-app.ts';
import { recentLife } from '../sessions/service.ts';
import { reconcileJob } from './service/reconcile.ts';
import { mark } from './service/send.ts';
import { tradingWorker } from './service/worker-client.ts';
import { exchangeConnections, type OrderRow, tradingOrders } from './table.ts';

useExchanges();

test('an installation that connects no exchange says so', async () => {
  const closed = await createTestApp();
  const { token } = await closed.person();
  const list = await closed.get<{ exchanges: { type: string; is_available: boolean }[] }>(
    token,
    '/v1/exchange_connections',
  );
  expect(list.body.exchanges.filter((each) => each.is_available).map(({ type }) => type)).toEqual(['demo']);
  const body = { type: 'binance', api_key: 'k'.repeat(20), secret };
  const answer = await closed.call('POST', '/v1/exchange_connections', { token, body });
  expect(answer).toMatchObject({ status: 403, body: { details: { reason: 'disabled_in_configuration' } } });
});

describe('connecting', () => {
  test('a testnet key: checked, sealed, shown by its last four characters, never logged or answered', async () => {
    const who = await connect('binance_testnet', servers().testnet);
    expect(who.status).toBe(200);
    expect(who.body).toMatchObject({
      environment: 'testnet',
      key_hint: who.apiKey.slice(-4),
      is_armed: true,
      warnings: [],
    });
    const row = await rowOf(who);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(row)).not.toContain(who.apiKey);
    const list = await app.call<object>('GET', '/v1/exchange_connections', { token: who.token });
    expect(JSON.stringify(list.body)).not.toContain(who.apiKey);
    expect(list.body).toMatchObject({ binance_testnet: true, binance: false, address: '203.0.113.7' });
    expect(JSON.stringify(servers().live.received)).not.toContain(who.apiKey);
  });

  test('a key of the other environment is refused by its name, in both directions', async () => {
    const wrong = await connect('binance', servers().testnet);
    expect(wrong).toMatchObject({
      status: 422,
      body: { message: 'This is a key of Binance Testnet, not of Binance.' },
    });
    const other = await connect('binance_testnet', servers().live);
    expect(other).toMatchObject({
      status: 422,
      body: { message: 'This is a key of Binance, not of Binance Testnet.' },
    });
  });

  test('a key that withdraws, or cannot trade, is refused; one that works from anywhere is warned about', async () => {
    expect(await connect('binance', servers().live, { canWithdraw: true })).toMatchObject({ status: 422 });
    expect(await connect('binance', servers().live, { canTrade: false })).toMatchObject({ status: 422 });
    const open = await connect('binance', servers().live);
    expect(open.body.warnings).toEqual(['Connected. The key works from anywhere: restrict it to 203.0.113.7.']);
    expect((await connect('binance', servers().live, { isIpRestricted: true })).body.warnings).toEqual([]);
  });

  test('real money is armed with a word and two limits, and holds them', async () => {
    const who = await connect('binance', servers().live);
    expect(who.body.is_armed).toBe(false);
    expect(await place(who)).toMatchObject({ status: 422, body: { details: { code: 'not_armed' } } });
    const arm = (body: object) =>
      app.call('POST', `/v1/exchange_connections/${who.body.id}/arm`, { token: who.token, body });
    expect((await arm({ confirmation: 'live', max_order: '600', max_day: '1000' })).status).toBe(422);
    expect((await arm({ confirmation: 'LIVE', max_order: '0', max_day: '1000' })).status).toBe(422);
    expect((await arm({ confirmation: 'LIVE', max_order: '600', max_day: '1000' })).status).toBe(200);
    expect((await place(who)).status).toBe(200);
    expect(await place(who, { amount: '0.1' })).toMatchObject({
      status: 422,
      body: { details: { code: 'order_too_large' } },
    });
    expect(await place(who, { amount: '0.011' })).toMatchObject({
      status: 422,
      body: { details: { code: 'day_limit' } },
    });
    const without = await app.patch(who.token, `/v1/exchange_connections/${who.body.id}`, {
      limits: { max_day: null },
    });
    expect(without.status).toBe(422);
  });

  test('an order may not come to more than a day; arming and raising a limit need a recent sign-in', async () => {
    const who = await connect('binance', servers().live);
    const path = `/v1/exchange_connections/${who.body.id}`;
    const arm = (max_order: string, max_day: string) =>
      app.post(who.token, `${path}/arm`, { confirmation: 'LIVE', max_order, max_day });
    const change = (limits: object) => app.patch(who.token, path, { limits });
    expect(await arm('1001', '1000')).toMatchObject({
      status: 422,
      body: { fields: { max_order: [expect.any(String)] } },
    });
    expect((await arm('600', '1000')).status).toBe(200);
    expect(await change({ max_order: '1001' })).toMatchObject({ status: 422 });
    expect((await change({ max_daily_loss: '10' })).status).toBe(200);
    app.clock.advance(recentLife);
    const stale = { status: 403, body: { details: { reason: 'reauthentication_required' } } };
    expect(await arm('600', '1000')).toMatchObject(stale);
    for (const raised of [{ max_order: '601' }, { max_day: '1001' }, { max_daily_loss: null }, { price_distance: 99 }])
      expect(await change(raised)).toMatchObject(stale);
    expect((await change({ max_order: '500', symbols: ['BTC/USDT'] })).status).toBe(200);
    expect(await change({ symbols: ['BTC/USDT', 'ETH/USDT'] })).toMatchObject(stale);
    expect((await app.post(who.token, `${path}/disarm`)).status).toBe(200);
  });

  test('an API key trades with real money only where it was made for that', async () => {
    const who = await connect('binance', servers().live);
    await app.post(who.token, `/v1/exchange_connections/${who.body.id}/arm`, {
      ...{ confirmation: 'LIVE', max_order: '600', max_day: '1000' },
    });
    const orderWith = async (scopes: string[]) => {
      const { body } = await app.post<{ key: string }>(who.token, '/v1/me/api_keys', { name: 'bot', scopes });
      const order = {
        ...{ connection_id: who.body.id, request_id: crypto.randomUUID(), symbol: 'BTC/USDT', side: 'buy' },
        ...{ type: 'market', amount: '0.001' },
      };
      return app.call('POST', '/v1/trading/orders', { apiKey: body.key, body: order });
    };
    expect(await orderWith(['read', 'write'])).toMatchObject({ status: 403 });
    expect(await orderWith(['read', 'write', 'trade_live'])).toMatchObject({ status: 200 });
  });

  test('deleted: its orders are canceled and its key is gone', async () => {
    const who = await connect('binance_testnet', servers().testnet);
    await place(who, { type: 'limit', price: '45000' });
    await until(() => orders(who), [{ state: 'open' }]);
    expect((await app.call('DELETE', `/v1/exchange_connections/${who.body.id}`, { token: who.token })).status).toBe(
      200,
    );
    expect(servers().testnet.ordersOf(who.apiKey)).toMatchObject([{ state: 'canceled' }]);
    expect(await rowOf(who)).toMatchObject({ sealedKey: null });
    expect((await place(who)).status).toBe(404);
    expect(await orders(who)).toMatchObject([{ state: 'canceled' }]);
  });
});

describe('orders on an exchange', () => {
  let who: Connected;
  beforeEach(async () => {
    who = await connect('binance_testnet', servers().testnet);
  });
  const fail = (
    on: string,
    kind: 'hang_after' | 'drop_after' | 'drop_before' | '500_after' | '503_before' | '429' | 'garbage_after',
  ) => servers().testnet.faults.push({ on, kind });
  const post = 'POST /api/v3/order';
  const sent = () => servers().testnet.received.filter(({ name }) => name === post).length;

  test('is stored, sent, filled; what is owned follows', async () => {
    expect((await place(who)).body.state).toMatch(/formed|closed/);
    await until(() => orders(who), [{ state: 'closed', filled: '0.01', environment: 'testnet' }]);
    const { body } = await app.get<{ entries: TradingBalance[] }>(who.token, '/v1/trading/balance', {
      connection_id: who.body.id,
    });
    expect(body.entries.find(({ asset }) => asset === 'BTC')).toMatchObject({ free: '0.00999' });
  });

  test.each(['drop_after', '500_after', 'garbage_after'] as const)(
    '%s: asked for, and not sent again',
    async (kind) => {
      fail(post, kind);
      await place(who);
      await until(() => orders(who), [{ state: 'closed', filled: '0.01' }]);
      expect(sent()).toBe(1);
      expect(servers().testnet.ordersOf(who.apiKey)).toHaveLength(1);
    },
  );

  test.each(['drop_before', '503_before'] as const)(
    '%s: it never arrived, is not sent again, and says so',
    async (kind) => {
      fail(post, kind);
      await place(who);
      await until(() => orders(who), [{ state: 'rejected', reason: 'The exchange never received it' }]);
      expect(sent()).toBe(1);
    },
  );

  test('429: sent when the exchange wants to hear of us again', async () => {
    fail(post, '429');
    await place(who);
    await until(() => orders(who), [{ state: 'closed' }]);
    expect(servers().testnet.ordersOf(who.apiKey)).toHaveLength(1);
  });

  test('refused there is rejected here, with its words', async () => {
    await place(who, { amount: '100' });
    await until(() => orders(who), [{ state: 'rejected' }]);
    expect((await orders(who))[0]?.reason).toContain('USDT');
  });

  test('filled while nobody looked; placed by another program; canceled there', async () => {
    await place(who, { type: 'limit', price: '49000' });
    await place(who, { type: 'limit', price: '45000', amount: '0.02' });
    await until(() => orders(who), [{ state: 'open' }, { state: 'open' }]);
    servers().testnet.placeElsewhere(who.apiKey, {
      ...{
        symbol: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        quantity: '0.03',
        price: '44000',
        newClientOrderId: 'elsewhere',
      },
    });
    servers().testnet.move('BTC/USDT', -3);
    await compare(who);
    servers().testnet.move('BTC/USDT', 3.092_783_5);
    expect(await orders(who)).toMatchObject([
      { source: 'foreign', amount: '0.03', state: 'open' },
      { amount: '0.02', state: 'open' },
      { amount: '0.01', state: 'closed' },
    ]);
    await compare(who);
    expect(await orders(who)).toHaveLength(3);
  });

  test('the testnet is reset: open orders end without a loss', async () => {
    await place(who, { type: 'limit', price: '45000' });
    await until(() => orders(who), [{ state: 'open' }]);
    servers().testnet.reset(who.apiKey);
    for (let times = 0; times < 3; times++) {
      later(40);
      await compare(who);
    }
    expect(await orders(who)).toMatchObject([{ state: 'canceled', reason: 'The testnet was reset' }]);
  });

  test('an exchange that is down is said beside the connection, and goes away', async () => {
    await place(who, { type: 'limit', price: '45000' });
    await until(() => orders(who), [{ state: 'open' }]);
    fail('GET /api/v3/openOrders', '503_before');
    await compare(who);
    expect((await rowOf(who)).problem).toBeTruthy();
    await compare(who);
    expect((await rowOf(who)).problem).toBeNull();
  });

  test('halted before it was sent: it stays here', async () => {
    fail(post, '429');
    await place(who);
    await until(() => orders(who), [{ state: 'formed', is_unclear: false }]);
    await app.database.db
      .update(exchangeConnections)
      .set({ state: 'halted' })
      .where(eq(exchangeConnections.id, who.body.id));
    await until(() => orders(who), [{ state: 'canceled', reason: 'Trading was halted' }]);
    expect(servers().testnet.ordersOf(who.apiKey)).toEqual([]);
  });

  test('an order of a suspended person is not sent', async () => {
    fail(post, '429');
    await place(who);
    await until(() => orders(who), [{ state: 'formed', is_unclear: false }]);
    await app.suspend(who.id, 'Not for now');
    const states = () =>
      app.database.db
        .select({ state: tradingOrders.state, reason: tradingOrders.reason })
        .from(tradingOrders)
        .where(eq(tradingOrders.connectionId, who.body.id));
    await until(states, [{ state: 'canceled', reason: 'The account is not active' }]);
    expect(servers().testnet.ordersOf(who.apiKey)).toEqual([]);
  });

  test('not sent for half an hour: it is not sent any more, also where its job is gone', async () => {
    fail(post, '429');
    const { body } = await place(who);
    await until(() => orders(who), [{ state: 'formed', is_unclear: false }]);
    await app.database.db.delete(jobsTable).where(eq(jobsTable.key, body.id));
    await compare(who);
    expect(await orders(who)).toMatchObject([{ state: 'formed' }]);
    later(31 * 60);
    await expect
      .poll(async () => {
        await compare(who);
        return orders(who);
      })
      .toMatchObject([{ state: 'canceled', reason: 'It could not be sent in time' }]);
    expect(servers().testnet.ordersOf(who.apiKey)).toEqual([]);
  });

  test('under way while trading is halted: canceled once its answer is known', async () => {
    fail(post, 'drop_after');
    fail('GET /api/v3/order', '503_before');
    fail('DELETE /api/v3/order', '503_before');
    await place(who, { type: 'limit', price: '45000' });
    await until(() => orders(who), [{ state: 'formed', is_unclear: true }]);
    await app.call('POST', `/v1/exchange_connections/${who.body.id}/halt`, { token: who.token, body: {} });
    await until(() => orders(who), [{ state: 'canceled' }]);
    expect(servers().testnet.ordersOf(who.apiKey)).toMatchObject([{ state: 'canceled' }]);
  });

  test('canceled between being read and being sent: it is not sent', async () => {
    const { body } = await place(who);
    await until(() => orders(who), [{ state: 'closed' }]);
    // As it was before its job, which would otherwise run meanwhile.
    const [order] = await app.database.db
      .update(tradingOrders)
      .set({ state: 'formed', sentAt: null, exchangeId: null, filled: '0' })
      .where(eq(tradingOrders.id, body.id))
      .returning();
    const [ctx, connection] = [app.app.system(), await rowOf(who)];
    await app.call('DELETE', `/v1/trading/orders/${body.id}`, { token: who.token });
    expect(await ctx.write((write) => mark(ctx, write, { order: order as OrderRow, connection }))).toBe(false);
    expect(await orders(who)).toMatchObject([{ state: 'canceled', is_unclear: false }]);
  });

  test('bought by another program, without an order of ours: found by the timer', async () => {
    servers().testnet.placeElsewhere(who.apiKey, {
      ...{ symbol: 'ETHUSDT', side: 'BUY', type: 'MARKET', quantity: '0.5', newClientOrderId: `elsewhere-${who.id}` },
    });
    const check = () => reconcileJob.run({ ctx: app.app.system() } as Parameters<typeof reconcileJob.run>[0]);
    await check();
    expect(await orders(who)).toEqual([]);
    // Others may come first.
    await until(async () => {
      later(600);
      await check();
      return orders(who);
    }, [{ source: 'foreign', symbol: 'ETH/USDT', state: 'closed', filled: '0.5' }]);
  });

  test('halted: everything is canceled there', async () => {
    await place(who, { type: 'limit', price: '45000' });
    await until(() => orders(who), [{ state: 'open' }]);
    await app.call('POST', `/v1/exchange_connections/${who.body.id}/halt`, { token: who.token, body: {} });
    expect(servers().testnet.ordersOf(who.apiKey)).toMatchObject([{ state: 'canceled' }]);
  });
});

describe('the process that trades, killed', () => {
  test('at any step of many orders: each is at the exchange at most once, and none is forgotten', async () => {
    const who = await connect('binance_testnet', servers().testnet);
    await app.patch(who.token, `/v1/exchange_connections/${who.body.id}`, { limits: { orders_per_minute: 600 } });
    const worker = tradingWorker(app.app.system());
    const count = 30;
    for (let index = 0; index < count; index++) {
      await place(who, { amount: '0.001' });
      // At another moment of each order: before it is sent, while it is under way, after it was answered.
      if (index % 6 === 0) {
        for (let turns = 0; turns < (index / 6) * 3; turns++) await new Promise(setImmediate);
        if (worker.pid) process.kill(worker.pid, 'SIGKILL');
      }
    }
    await until(async () => (await orders(who)).filter(({ state }) => state === 'formed').length, 0);
    const mine = await orders(who);
    expect(mine).toHaveLength(count);
    const there = servers().testnet.ordersOf(who.apiKey);
    const filled = mine.filter(({ state }) => state === 'closed');
    expect(there).toHaveLength(filled.length);
    expect(mine.filter(({ state }) => state !== 'closed' && state !== 'rejected')).toEqual([]);
    const posts = servers().testnet.received.filter(({ name }) => name === 'POST /api/v3/order');
    const ids = posts.map(({ params }) => params.get('newClientOrderId'));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
