import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { unattendedRunner } from '../projects/service/unattended.ts';
import { quotaReservations } from '../quota/table.ts';
import { orderDecided } from './service/decisions.ts';
import { runsWithOrderChanges } from './service/order-news.ts';
import { strategyDecisions, strategyRuns } from './table.ts';
import { onlyBuys, type Runner, strategyRunner, swing, swingInPython } from './test-runs.ts';

const app = await createSharedApp();
const it = strategyRunner(app);

describe('a running strategy', () => {
  test.each([
    ['TypeScript', swing, 8],
    ['Python', swingInPython, 4],
  ])('in %s orders each of its decisions once, however often it is ended in between', async (_, code, bars) => {
    const who = await it.runner(code);
    const { body: run, status } = await it.begin(who);
    expect(status, run.message).toBe(200);
    expect(run).toMatchObject({ state: 'running', environment: 'demo', capital: 1_000, equity: null });
    for (let bar = 0; bar < bars; bar += 1) {
      it.nextBar();
      // Before anything is stored, after the decision was, and after its order was placed but not noted: 24 times for 8 bars.
      await it.step(run.id, 'before');
      await it.step(run.id, 'after');
      await it.step(run.id);
      await app.database.db
        .update(strategyDecisions)
        .set({ state: 'decided', orderId: null })
        .where(eq(strategyDecisions.runId, run.id));
    }
    // Nothing new: nothing is decided, and what was placed is noted.
    await it.step(run.id);
    const decisions = (await it.decisionsOf(who, run.id)).toReversed();
    expect(decisions.map(({ why }) => why)).toEqual(Array.from({ length: bars }, (_, index) => `bar ${index + 1}`));
    expect(decisions.map(({ side }) => side)).toEqual(
      Array.from({ length: bars }, (_, index) => (index % 2 === 0 ? 'buy' : 'sell')),
    );
    expect(decisions.every(({ state, order_id }) => state === 'ordered' && order_id !== null)).toBe(true);
    const orders = await it.ordersOf(who);
    expect(orders).toHaveLength(bars);
    expect(orders.every(({ source, state }) => source === 'strategy' && state === 'closed')).toBe(true);
    const after = await it.runOf(who);
    expect(after.positions).toEqual([]);
    // Trades of a hundred cost fees, and prices moved a little.
    expect(after.equity).toBeGreaterThan(900);
    expect(after.equity).toBeLessThan(1_100);
  });

  test('pauses, goes on, and sells what it holds when it is stopped', async () => {
    const { who, run } = await it.running();
    await it.atNextBar(run.id);
    expect((await it.change(who, run.id, { action: 'pause' })).body.state).toBe('paused');
    await it.atNextBar(run.id);
    expect(await it.ordersOf(who)).toHaveLength(1);
    expect((await it.change(who, run.id, { action: 'resume' })).body.state).toBe('running');
    for (let late = 0; late < 20; late += 1) it.nextBar();
    await it.step(run.id);
    // Bars that passed meanwhile are its past: it sells once what it holds, and not once for each of them.
    expect((await it.ordersOf(who)).map(({ side }) => side).toSorted()).toEqual(['buy', 'sell']);
    expect(await it.decisionsOf(who, run.id)).toHaveLength(2);
    await it.atNextBar(run.id);
    const stopped = await it.change(who, run.id, { action: 'stop', closes_positions: true });
    expect(stopped.body).toMatchObject({ state: 'stopped' });
    await it.step(run.id);
    const balance = await app.get<{ entries: { asset: string; free: string }[] }>(who.token, '/v1/trading/balance');
    expect(Number(balance.body.entries.find(({ asset }) => asset === 'BTC')?.free ?? 0)).toBeLessThan(0.0001);
    expect((await it.change(who, run.id, { action: 'resume' })).status).toBe(409);
  });

  test('on real money is resumed and closed by an API key only where that may trade with it', async () => {
    const { who, run } = await it.running();
    const settings = { ...run.settings, source: { type: 'exchange' as const, exchange: 'binance' as const } };
    await app.database.db.update(strategyRuns).set({ settings }).where(eq(strategyRuns.id, run.id));
    const keyOf = async (scopes: string[]) =>
      (await app.post<{ key: string }>(who.token, '/v1/me/api_keys', { name: 'bot', scopes })).body.key;
    const path = `/v1/strategies/${who.strategyId}/runs/${run.id}`;
    const changeBy = (apiKey: string, body: object) => app.call('PATCH', path, { apiKey, body });
    const [without, withScope] = [await keyOf(['read', 'write']), await keyOf(['read', 'write', 'trade_live'])];
    expect((await changeBy(without, { action: 'pause' })).status).toBe(200);
    expect(await changeBy(without, { action: 'resume' })).toMatchObject({ status: 403 });
    expect(await changeBy(without, { action: 'stop', closes_positions: true })).toMatchObject({ status: 403 });
    expect((await changeBy(withScope, { action: 'resume' })).status).toBe(200);
    expect((await changeBy(without, { action: 'stop' })).status).toBe(200);
  });

  test('that is stopped while it decides orders nothing more, and sells what was really filled', async () => {
    const { who, run } = await it.running(onlyBuys);
    await it.atNextBar(run.id);
    it.nextBar();
    // What it has bought by then it has not been told of.
    await it.step(run.id, () => it.change(who, run.id, { action: 'stop', closes_positions: true }));
    await it.step(run.id);
    const orders = await it.ordersOf(who);
    expect(orders.filter(({ side }) => side === 'buy')).toHaveLength(1);
    expect(orders.filter(({ side }) => side === 'sell')).toHaveLength(1);
    expect(Number(orders.find(({ side }) => side === 'sell')?.amount)).toBeCloseTo(
      Number(orders.find(({ side }) => side === 'buy')?.filled),
      4,
    );
    expect((await it.runOf(who)).state).toBe('stopped');
  });

  test('is paused by Halt trading, and orders nothing any more', async () => {
    const { who, run } = await it.running();
    await app.call('POST', `/v1/exchange_connections/${who.connectionId}/halt`, { token: who.token, body: {} });
    await it.atNextBar(run.id);
    expect(await it.runOf(who)).toMatchObject({ state: 'paused', reason: expect.stringContaining('halted') });
    expect(await it.ordersOf(who)).toEqual([]);
  });

  test.each([
    [
      'Halt trading',
      'paused',
      (who: Runner) =>
        app.call('POST', `/v1/exchange_connections/${who.connectionId}/halt`, { token: who.token, body: {} }),
    ],
    ['being stopped', 'stopped', (who: Runner, runId: string) => it.change(who, runId, { action: 'stop' })],
  ])('that hangs is ended by %s, and not only by its time limit', async (_, state, end) => {
    const who = await it.runner('export default strategy({\n  start() { return { onBar() { for (;;) {} } }; },\n});');
    const { body: run } = await it.begin(who);
    it.nextBar();
    const step = it.step(run.id);
    // Its time is set aside: it is at work.
    const reserved = () => app.database.db.select().from(quotaReservations).where(eq(quotaReservations.userId, who.id));
    await expect.poll(reserved).toHaveLength(1);
    expect((await end(who, run.id)).status).toBe(200);
    await step;
    expect(await it.runOf(who)).toMatchObject({ state });
    expect(await it.ordersOf(who)).toEqual([]);
    expect(await it.decisionsOf(who, run.id)).toEqual([]);
  });

  test('is told by the next tick of what was filled meanwhile', async () => {
    const { who, run } = await it.running();
    it.nextBar();
    await it.step(run.id, 'after');
    const ctx = app.app.system();
    const [row] = await ctx.db.select().from(strategyRuns).where(eq(strategyRuns.id, run.id));
    const owner = await unattendedRunner(ctx, who.id, who.projectId);
    if (!row || !owner) throw new Error('no run');
    await orderDecided(owner, row);
    const untold = async () => (await runsWithOrderChanges(ctx)).filter(({ id }) => id === run.id);
    expect(await untold()).toEqual([{ id: run.id, ownerId: who.id }]);
    await it.step(run.id);
    expect(await untold()).toEqual([]);
    expect((await it.runOf(who)).positions).toHaveLength(1);
  });

  test('that fails says where, and ends', async () => {
    const who = await it.runner(
      "export default strategy({\n  start() { return { onBar() { throw new Error('broken'); } }; },\n});",
    );
    const { body: run } = await it.begin(who);
    await it.atNextBar(run.id);
    expect(await it.runOf(who)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/Line 2: .*broken/) });
    await app.app.relay.settled();
    const told = await app.notifications(who.token);
    expect(told.map(({ type }) => type)).toEqual(['strategy_failed']);
  });

  test('what the limits of its connection refuse is refused, with the reason', async () => {
    const who = await it.runner();
    const limited = await app.patch(who.token, `/v1/exchange_connections/${who.connectionId}`, {
      limits: { max_order: '10' },
    });
    expect(limited.status).toBe(200);
    const { body: run } = await it.begin(who);
    await it.atNextBar(run.id);
    const [decision] = await it.decisionsOf(who, run.id);
    expect(decision).toMatchObject({ why: 'bar 1', state: 'refused', reason: expect.stringMatching(/10/) });
    expect(await it.ordersOf(who)).toEqual([]);
  });

  test('is seen by its owner only, also in a public project', async () => {
    const { who, run } = await it.running();
    await it.atNextBar(run.id);
    await app.call('PATCH', `/v1/notebooks/${who.projectId}`, { token: who.token, body: { visibility: 'public' } });
    const other = { ...who, token: (await app.person()).token };
    const listed = await app.get<{ entries: unknown[] }>(other.token, `/v1/strategies/${who.strategyId}/runs`);
    expect(listed).toMatchObject({ status: 200, body: { entries: [] } });
    const path = `/v1/strategies/${who.strategyId}/runs/${run.id}/decisions`;
    expect((await app.call('GET', path, { token: other.token })).status).toBe(404);
    expect((await app.call('GET', path, { token: who.token })).status).toBe(200);
  });

  test('stops when its owner may no longer run code there', async () => {
    const { who, run } = await it.running();
    await app.suspend(who.id, 'Enough');
    await it.atNextBar(run.id);
    expect(await it.ordersOf(who)).toEqual([]);
  });

  test('runs on one’s own connections only, and is changed by its owner only', async () => {
    const [who, other] = [await it.runner(), await it.runner()];
    expect((await it.begin(who, { connection_id: other.connectionId })).status).toBe(404);
    const { body: run } = await it.begin(who);
    expect((await it.change({ ...other, strategyId: who.strategyId }, run.id, { action: 'stop' })).status).toBe(404);
    expect((await it.begin(who, { settings: { symbols: ['NO/USDT'], timeframe: '1m' } })).status).toBe(422);
    expect((await it.begin(who, { capital: -1 })).status).toBe(422);
    const request_id = newId();
    const [one, two] = [await it.begin(who, { request_id }), await it.begin(who, { request_id })];
    expect(one.body.id).toBe(two.body.id);
  });
});

test('a project is not handed over while its owner runs a strategy in it; the next owner runs what they have read', async () => {
  const { who, run } = await it.running();
  const heir = await it.runner();
  const path = `/v1/notebooks/${who.projectId}`;
  const offer = () => app.patch(who.token, `${path}/owner`, { user_id: heir.id });
  expect(await offer()).toMatchObject({ status: 409, body: { details: { reason: 'strategies_running' } } });
  await it.change(who, run.id, { action: 'stop' });
  expect((await offer()).status).toBe(200);
  // One that began since the offer holds it up as well.
  const { body: later } = await it.begin(who);
  const accept = () => app.post(heir.token, `${path}/offer/accept`);
  expect(await accept()).toMatchObject({ status: 409, body: { details: { reason: 'strategies_running' } } });
  await it.change(who, later.id, { action: 'stop' });
  expect((await accept()).status).toBe(200);
  const theirs = { ...heir, projectId: who.projectId, strategyId: who.strategyId };
  expect(await it.begin(theirs)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Read its code') },
  });
  expect((await app.post(heir.token, `${path}/accept_code`)).status).toBe(200);
  expect((await it.begin(theirs)).status).toBe(200);
});
