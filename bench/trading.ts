import { apiPrefix } from '@atoll/contract';
import {
  checkGate,
  demoExchange,
  demoMarkets,
  type KnownOrder,
  type Market,
  memoryStore,
  mergeReport,
  type Ticker,
  usualLimits,
} from '@atoll/trading';
import type { Pool } from 'pg';
import type { App } from '../apps/server/src/app.ts';
import { placeOrder } from '../apps/server/src/features/trading/service/place.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import { median, type Result } from './report.ts';
import { durable, person, withApp, withPool, withPostgres } from './set-up.ts';
import { paintedPrices } from './trading-in-page.ts';

const people = 32;
const ordersPerRound = 640;
const rounds = 3;

/** Orders on the demo, in memory and stored; a long chart; many people who look at one market. */
export const trading = (): Promise<Result[]> =>
  withPostgres(durable, (urlOf) =>
    withApp(urlOf('postgres'), (app) =>
      withPool(urlOf('postgres'), people, async (bare) => [
        await inMemory(),
        ...(await stored(app, bare)),
        ...(await looking(app)),
        await paintedPrices(),
      ]),
    ),
  );

/** Gate, journal and matching, without a database. */
async function inMemory(): Promise<Result> {
  const exchange = demoExchange({ seed: 1, now: Date.now });
  const account = exchange.account('bench', memoryStore());
  const market = demoMarkets[0] as Market;
  const ticker = (await exchange.tickers())[0] as Ticker;
  const total = 10_000;
  const began = performance.now();
  for (let index = 0; index < total; index++) {
    const order = {
      ...({ clientId: `o${index}`, symbol: market.symbol, side: index % 2 ? 'sell' : 'buy', type: 'market' } as const),
      ...{ amount: index % 2 ? '0.00099' : '0.001', price: null, stopPrice: null },
    };
    const facts = { state: 'active', ordersInLastMinute: 0, tradedToday: '0', lostToday: '0', owned: '1' } as const;
    const refusal = checkGate(order, { market, ticker, now: ticker.at }, usualLimits, facts);
    if (refusal) throw new Error(refusal.message);
    const formed: KnownOrder = {
      state: 'formed',
      exchangeId: null,
      amount: order.amount,
      filled: '0',
      fills: [],
      reason: null,
    };
    if (mergeReport(formed, await account.place(order)).state !== 'closed') throw new Error('not filled');
  }
  return {
    name: 'an order on the demo in memory: gate, journal, matching (10,000 a second)',
    value: (performance.now() - began) / total,
    unit: 'ms',
    limit: { of: 'value', max: 0.1 },
  };
}

interface Trader {
  userId: string;
  token: string;
  connectionId: string;
}

async function call<Body>(
  app: App,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  token: string,
  payload?: object,
): Promise<Body> {
  const response = await app.http.inject({
    ...{ method, url: `${apiPrefix}${path}` },
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  });
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
  return response.json<Body>();
}

async function trader(app: App): Promise<Trader> {
  const { token, id: userId } = await person(app);
  const { entries } = await call<{ entries: { id: string }[] }>(app, 'GET', '/v1/exchange_connections', token);
  const connectionId = entries[0]?.id ?? '';
  await call(app, 'PATCH', `/v1/exchange_connections/${connectionId}`, token, { limits: { orders_per_minute: 600 } });
  return { userId, token, connectionId };
}

const bareOrder = `
  with placed as (
    insert into trading_orders (id, user_id, connection_id, request_id, client_id, source, symbol, side, type, amount, value,
      state, filled, average, fees, created_at, updated_at)
    select $1, c.user_id, c.id, $2, $3, 'person', 'BTC/USDT', 'buy', 'market', 0.001, 50, 'closed', 0.001, 50000, '{}', now(), now()
    from exchange_connections c where c.id = $4 returning id, user_id
  ), filled as (
    insert into trading_fills (order_id, fill_id, amount, price, fee, fee_asset, at)
    select id, '1', 0.001, 50000, 0.000001, 'BTC', now() from placed
  ), there as (
    insert into demo_orders (connection_id, client_id, is_open, "order") values ($4, $3, false, $5::jsonb)
  ), balances as (
    update demo_accounts set balances = balances where connection_id = $4
  ), event as (
    insert into events (id, name, payload, request_id, created_at, due_at)
    select $6::uuid, 'order.changed', '{}'::jsonb, 'bench', now() + interval '1 day', now() + interval '1 day' from placed
  ), next as (
    insert into topics (topic, position) select 'bench/' || user_id, 1 from placed
    on conflict (topic) do update set position = topics.position + 1 returning topic, position
  ), message as (
    insert into topic_events (topic, position, event, payload, created_at)
    select topic, position, 'order_changed', $5::jsonb, now() from next
  ) select id from placed`;

async function stored(app: App, bare: Pool): Promise<Result[]> {
  const traders = await Promise.all(Array.from({ length: people }, () => trader(app)));
  const place = ({ token, connectionId }: Trader) =>
    call(app, 'POST', '/v1/trading/orders', token, {
      ...{
        connection_id: connectionId,
        request_id: newId(),
        symbol: 'BTC/USDT',
        side: 'buy',
        type: 'market',
        amount: '0.0002',
      },
    });
  const system = app.system();
  /** What the endpoint calls, in that person's name. */
  const placeByService = ({ userId, connectionId }: Trader) =>
    placeOrder(system.as({ kind: 'user', userId, isAdmin: false }), {
      ...({ connection_id: connectionId, request_id: newId(), symbol: 'BTC/USDT', side: 'buy' } as const),
      ...({ type: 'market', amount: '0.0002', price: null, stop_price: null } as const),
    });
  const ask = ({ token }: Trader) => call(app, 'GET', '/v1/balance', token);
  const body = JSON.stringify({ clientId: 'x'.repeat(32), symbol: 'BTC/USDT', fills: [], amount: '0.001' });
  const placeBare = ({ connectionId }: Trader) =>
    bare.query({ name: 'order', text: bareOrder, values: [newId(), newId(), newId(), connectionId, body, newId()] });
  const each = async (work: (trader: Trader) => Promise<unknown>) => {
    const began = performance.now();
    await Promise.all(
      traders.map(async (one) => {
        for (let index = 0; index < ordersPerRound / people; index++) await work(one);
      }),
    );
    return (performance.now() - began) / ordersPerRound;
  };
  const times: Record<'bare' | 'service' | 'empty' | 'http', number[]> = { bare: [], service: [], empty: [], http: [] };
  for (let round = 0; round <= rounds; round++) {
    const one = { bare: await each(placeBare), service: await each(placeByService) };
    const all = { ...one, empty: await each(ask), http: await each(place) };
    if (round > 0) for (const [name, ms] of Object.entries(all)) times[name as keyof typeof times].push(ms);
  }
  const value = median(times.http);
  const bareMs = median(times.bare);
  const limit = { of: 'ratio', max: 1 / 0.6 } as const;
  return [
    {
      ...{
        name: `an order on the demo, stored, of ${people} people at once`,
        value: median(times.service),
        unit: 'ms',
      },
      ...{ peer: { name: 'one bare statement that stores the same', value: bareMs }, limit },
    },
    {
      ...{ name: 'the same by HTTP', value, unit: 'ms', limit },
      peer: { name: 'that statement and a signed-in request for a balance', value: bareMs + median(times.empty) },
    },
    { name: 'the same (1,000 a second)', value, unit: 'ms', limit: { of: 'value', max: 1 } },
  ];
}

async function looking(app: App): Promise<Result[]> {
  const { token } = await trader(app);
  const from = new Date(Date.now() - 5 * 365 * 86_400_000 + 60_000).toISOString();
  const path = `/v1/trading/chart?asset=demo-ETH&interval=1m&from=${from}`;
  const began = performance.now();
  const { time } = await call<{ time: number[] }>(app, 'GET', path, token);
  const first = performance.now() - began;
  const again = performance.now();
  await call(app, 'GET', path, token);
  return [
    { name: 'points of five years of minutes', value: time.length, unit: 'points', limit: { of: 'value', max: 4_000 } },
    { name: 'five years of minutes, the first time', value: first, unit: 'ms', limit: { of: 'value', max: 1_000 } },
    {
      name: 'five years of minutes, once made',
      value: performance.now() - again,
      unit: 'ms',
      limit: { of: 'value', max: 200 },
    },
  ];
}
