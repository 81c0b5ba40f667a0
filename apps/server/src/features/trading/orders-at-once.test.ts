import type { TradingOrder } from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { eventsTable } from '../../platform/events/table.ts';
import { eventsAfter } from '../../platform/realtime/stream.ts';
import { app, balance, last, of, type Trader, trader, useTraders } from '../../test/set-ups/traders.ts';
import { placeOrder } from './service/place.ts';

useTraders();

describe('orders that come at once', () => {
  /** In one turn: while the first of them are being stored the others wait, and are stored together. */
  const placeAll = (all: { who: Trader; change?: object }[]) =>
    Promise.allSettled(
      all.map(({ who, change }) =>
        placeOrder(app.app.system().as({ kind: 'user', userId: who.id, isAdmin: false }), {
          ...({ connection_id: who.connection.id, request_id: newId(), symbol: 'BTC/USDT', side: 'buy' } as const),
          ...({ type: 'market', amount: '0.01', price: null, stop_price: null, ...change } as const),
        }),
      ),
    );
  const stored = async (who: Trader) =>
    rowsOf<{ id: string; transaction: string }>(
      await app.database.db.execute(
        sql`select id, xmin::text as transaction from trading_orders where user_id = ${who.id} order by id`,
      ),
    );
  /** With orders before them that keep the service busy. */
  async function together(all: { who: Trader; change?: object }[]) {
    const [one, two] = [await trader(), await trader()];
    return (await placeAll([{ who: one }, { who: two }, ...all])).slice(2);
  }

  test('are stored in one transaction, each in the name of its owner; one that is refused refuses no other', async () => {
    const [one, two] = [await trader(), await trader()];
    const outcomes = await together([
      { who: one },
      { who: two, change: { symbol: 'NOPE/USDT' } },
      { who: two, change: { connection_id: one.connection.id } },
      { who: two, change: { amount: '1' } },
      { who: two },
    ]);
    expect(outcomes).toMatchObject([
      { value: { state: 'closed' } },
      { reason: { code: 'unprocessable_entity' } },
      { reason: { code: 'not_found' } },
      { value: { state: 'rejected' } },
      { value: { state: 'closed' } },
    ]);
    const rows = [...(await stored(one)), ...(await stored(two))];
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
    for (const who of [one, two]) {
      expect(of((await balance(who)).entries, 'BTC')?.free).toBe('0.00999');
      const ids = (await stored(who)).map(({ id }) => id);
      const events = await app.database.db.select().from(eventsTable).where(eq(eventsTable.actorId, who.id));
      const told = events.filter(({ name }) => name === 'order.changed');
      expect(told.map(({ payload }) => (payload as { order_id: string }).order_id)).toEqual(ids);
      const messages = await eventsAfter(app.database.db, `trading_transactions:${who.id}`, 0);
      const shown = messages?.filter(({ event }) => event === 'order_changed');
      expect(shown?.map(({ payload }) => (payload.order as TradingOrder).id)).toEqual(ids);
    }
  });

  test('see what those before them have left of money and limits', async () => {
    const who = await trader();
    const price = Number(await last(who.token));
    const amount = (6_000 / price).toFixed(3);
    const outcomes = await together([{ who, change: { amount } }, { who, change: { amount } }, { who }]);
    expect(outcomes).toMatchObject([
      { value: { state: 'closed' } },
      { value: { state: 'rejected' } },
      { value: { state: 'closed' } },
    ]);
    const limits = { max_day: (price * 0.025).toFixed(2), orders_per_minute: 5 };
    const other = await trader();
    const path = `/v1/exchange_connections/${other.connection.id}`;
    await app.call('PATCH', path, { token: other.token, body: { limits } });
    const refused = await together(Array.from({ length: 3 }, () => ({ who: other })));
    expect(refused).toMatchObject([
      ...Array.from({ length: 2 }, () => ({ value: { state: 'closed' } })),
      { reason: { extras: { details: { code: 'day_limit' } } } },
    ]);
    await app.call('PATCH', path, { token: other.token, body: { limits: { ...limits, max_day: null } } });
    const many = await together(Array.from({ length: 5 }, () => ({ who: other, change: { amount: '0.001' } })));
    expect(many).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ value: { state: 'closed' } })),
      ...Array.from({ length: 2 }, () => ({ reason: { extras: { details: { code: 'too_many_orders' } } } })),
    ]);
  });

  test('by the same request are one order', async () => {
    const who = await trader();
    const change = { request_id: newId() };
    const outcomes = await together(Array.from({ length: 3 }, () => ({ who, change })));
    const [row] = await stored(who);
    expect(await stored(who)).toHaveLength(1);
    expect(outcomes).toMatchObject(Array.from({ length: 3 }, () => ({ value: { id: row?.id } })));
    expect(of((await balance(who)).entries, 'BTC')?.free).toBe('0.00999');
  });

  test('by the same request with another body are refused', async () => {
    const who = await trader();
    const change = { request_id: newId() };
    await placeAll([{ who, change }]);
    const others = [{ amount: '0.02' }, { side: 'sell' as const }, { symbol: 'ETH/USDT' }];
    const outcomes = await placeAll(others.map((other) => ({ who, change: { ...change, ...other } })));
    expect(outcomes).toMatchObject(others.map(() => ({ reason: { code: 'conflict' } })));
    expect(await stored(who)).toHaveLength(1);
  });

  test('are known by their ids however these are written', async () => {
    const who = await trader();
    const change = { request_id: newId() };
    const larger = { request_id: change.request_id.toUpperCase(), connection_id: who.connection.id.toUpperCase() };
    const outcomes = [...(await placeAll([{ who, change }])), ...(await placeAll([{ who, change: larger }]))];
    const [row] = await stored(who);
    expect(await stored(who)).toHaveLength(1);
    expect(outcomes).toMatchObject(Array.from({ length: 2 }, () => ({ value: { id: row?.id } })));
  });

  test('one that the database cannot take fails none of the others', async () => {
    const [one, two] = [await trader(), await trader()];
    const outcomes = await together([{ who: one }, { who: two, change: { request_id: 'none' } }, { who: two }]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    for (const who of [one, two]) {
      expect(await stored(who)).toHaveLength(1);
      expect(of((await balance(who)).entries, 'BTC')?.free).toBe('0.00999');
    }
  });

  test('are not placed from within a transaction, which they would wait for', async () => {
    const who = await trader();
    const placing = app.app.system().write(() => placeAll([{ who }]));
    expect(await placing).toMatchObject([{ reason: { message: expect.stringContaining('Use tx') } }]);
    expect(await stored(who)).toEqual([]);
  });
});
