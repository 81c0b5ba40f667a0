import { Readable } from 'node:stream';
import type { ExchangeConnection, StrategyDecision, StrategyRunView } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Write } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { files } from '../files/table.ts';
import { tradingOrders } from '../trading/table.ts';
import { advanceJob } from './service/advance.ts';
import { strategyDecisions } from './table.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ keepOpen: true });
  return () => app.close();
});

const minute = 60_000;
/** Buys at one bar and sells at the next, for ever. */
const swing = `export default strategy({
  start({ market, state }) {
    return { onBar() {
      state.bars = (state.bars ?? 0) + 1;
      if (market.position === 0) market.buy({ quote: 100, reason: 'bar ' + state.bars });
      else market.closePosition('bar ' + state.bars);
    } };
  },
});`;
const swingInPython = `from atoll_strategy import Strategy

class Swing(Strategy):
    def on_bar(self):
        self.state["bars"] = self.state.get("bars", 0) + 1
        if self.market.position == 0:
            self.market.buy(quote=100, reason=f"bar {self.state['bars']}")
        else:
            self.market.close_position(f"bar {self.state['bars']}")
`;

interface Runner {
  id: string;
  projectId: string;
  token: string;
  strategyId: string;
  connectionId: string;
}

async function runner(code = swing): Promise<Runner> {
  const { id, token } = await app.person();
  const isPython = code.includes('atoll_strategy');
  const template = isPython ? { template: 'strategy-grid-python' } : { kind: 'strategy', create_main_file: true };
  const project = await app.project(token, template);
  const ctx = app.app.system();
  const { sha256, size } = await ctx.blobs.put(Readable.from([Buffer.from(code)]), 1_000_000);
  await ctx.db
    .update(files)
    .set({ blob: sha256, size })
    .where(and(eq(files.projectId, project.id), eq(files.path, isPython ? 'strategy.py' : 'strategy.ts')));
  const { body } = await app.call<{ entries: ExchangeConnection[] }>('GET', '/v1/exchange_connections', { token });
  return {
    id,
    token,
    projectId: project.id,
    strategyId: project.default_file_id ?? '',
    connectionId: body.entries[0]?.id ?? '',
  };
}

const begin = ({ token, strategyId, connectionId }: Runner, body: object = {}) =>
  app.call<StrategyRunView & { message: string }>('POST', `/v1/strategies/${strategyId}/runs`, {
    token,
    body: {
      ...{ connection_id: connectionId, request_id: newId(), capital: 1_000 },
      settings: { symbols: ['BTC/USDT'], timeframe: '1m' },
      ...body,
    },
  });
const runOf = async ({ token, strategyId }: Runner): Promise<StrategyRunView> => {
  const { body } = await app.call<{ entries: StrategyRunView[] }>('GET', `/v1/strategies/${strategyId}/runs`, {
    token,
  });
  return body.entries[0] as StrategyRunView;
};
const change = ({ token, strategyId }: Runner, runId: string, body: object) =>
  app.call<StrategyRunView & { message: string }>('PATCH', `/v1/strategies/${strategyId}/runs/${runId}`, {
    token,
    body,
  });
const decisionsOf = async ({ token, strategyId }: Runner, runId: string) =>
  (
    await app.call<{ entries: StrategyDecision[] }>('GET', `/v1/strategies/${strategyId}/runs/${runId}/decisions`, {
      token,
      query: { page_size: '100' },
    })
  ).body.entries;
const ordersOf = async ({ connectionId }: Runner) =>
  app.database.db.select().from(tradingOrders).where(eq(tradingOrders.connectionId, connectionId));

class Killed extends Error {}

/** One step as the queue would take it; `isKilled` ends it before or after what it writes first. */
async function step(runId: string, isKilled?: 'before' | 'after'): Promise<void> {
  const ctx = app.app.system();
  const write = async <Result>(work: (write: Write) => Promise<Result>): Promise<Result> => {
    if (isKilled === 'before') throw new Killed();
    const result = await ctx.write(work);
    if (isKilled === 'after') throw new Killed();
    return result;
  };
  await advanceJob
    .run({
      ctx,
      payload: { run_id: runId },
      write,
      finish: write,
      signal: new AbortController().signal,
    } as unknown as Parameters<typeof advanceJob.run>[0])
    .catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
}
const nextBar = () => {
  app.clock.time += minute;
};

describe('a running strategy', () => {
  test.each([
    ['TypeScript', swing],
    ['Python', swingInPython],
  ])('in %s orders each of its decisions once, however often it is ended in between', async (_, code) => {
    const who = await runner(code);
    const { body: run, status } = await begin(who);
    expect(status, run.message).toBe(200);
    expect(run).toMatchObject({ state: 'running', environment: 'demo', capital: 1_000, equity: null });
    const bars = 12;
    for (let bar = 0; bar < bars; bar += 1) {
      nextBar();
      if (bar % 3 === 1) await step(run.id, 'before');
      if (bar % 3 === 2) await step(run.id, 'after');
      await step(run.id);
      // Ended after an order was placed and before that was noted.
      if (bar % 4 === 3) {
        await app.database.db
          .update(strategyDecisions)
          .set({ state: 'decided', orderId: null })
          .where(eq(strategyDecisions.runId, run.id));
        await step(run.id);
      }
      // Nothing new: nothing is decided.
      await step(run.id);
    }
    const decisions = (await decisionsOf(who, run.id)).toReversed();
    expect(decisions.map(({ why }) => why)).toEqual(Array.from({ length: bars }, (_, index) => `bar ${index + 1}`));
    expect(decisions.map(({ side }) => side)).toEqual(
      Array.from({ length: bars }, (_, index) => (index % 2 === 0 ? 'buy' : 'sell')),
    );
    expect(decisions.every(({ state, order_id }) => state === 'ordered' && order_id !== null)).toBe(true);
    const orders = await ordersOf(who);
    expect(orders).toHaveLength(bars);
    expect(orders.every(({ source, state }) => source === 'strategy' && state === 'closed')).toBe(true);
    const after = await runOf(who);
    expect(after.positions).toEqual([]);
    // Twelve trades of a hundred cost fees, and prices moved a little.
    expect(after.equity).toBeGreaterThan(900);
    expect(after.equity).toBeLessThan(1_100);
  });

  test('pauses, goes on, and sells what it holds when it is stopped', async () => {
    const who = await runner();
    const { body: run } = await begin(who);
    nextBar();
    await step(run.id);
    expect((await change(who, run.id, { action: 'pause' })).body.state).toBe('paused');
    nextBar();
    await step(run.id);
    expect(await ordersOf(who)).toHaveLength(1);
    expect((await change(who, run.id, { action: 'resume' })).body.state).toBe('running');
    nextBar();
    nextBar();
    await step(run.id);
    // The two bars it missed were decided on one after the other.
    const before = await decisionsOf(who, run.id);
    expect(before.length).toBeGreaterThan(1);
    nextBar();
    await step(run.id);
    const stopped = await change(who, run.id, { action: 'stop', closes_positions: true });
    expect(stopped.body).toMatchObject({ state: 'stopped' });
    await step(run.id);
    const balance = await app.call<{ entries: { asset: string; free: string }[] }>('GET', '/v1/trading/balance', {
      token: who.token,
    });
    expect(Number(balance.body.entries.find(({ asset }) => asset === 'BTC')?.free ?? 0)).toBeLessThan(0.0001);
    expect((await change(who, run.id, { action: 'resume' })).status).toBe(409);
  });

  test('is paused by the kill switch, and orders nothing any more', async () => {
    const who = await runner();
    const { body: run } = await begin(who);
    await app.call('POST', `/v1/exchange_connections/${who.connectionId}/halt`, { token: who.token, body: {} });
    nextBar();
    await step(run.id);
    expect(await runOf(who)).toMatchObject({ state: 'paused', reason: expect.stringContaining('halted') });
    expect(await ordersOf(who)).toEqual([]);
  });

  test('that fails says where, and ends', async () => {
    const who = await runner(
      "export default strategy({\n  start() { return { onBar() { throw new Error('broken'); } }; },\n});",
    );
    const { body: run } = await begin(who);
    nextBar();
    await step(run.id);
    expect(await runOf(who)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/Line 2: .*broken/) });
    await app.app.relay.settled();
    const told = await app.call<{ entries: { type: string }[] }>('GET', '/v1/notifications', { token: who.token });
    expect(told.body.entries.map(({ type }) => type)).toEqual(['strategy_failed']);
  });

  test('what the limits of its connection refuse is refused, with the reason', async () => {
    const who = await runner();
    const limited = await app.call('PATCH', `/v1/exchange_connections/${who.connectionId}`, {
      token: who.token,
      body: { limits: { max_order: '10' } },
    });
    expect(limited.status).toBe(200);
    const { body: run } = await begin(who);
    nextBar();
    await step(run.id);
    const [decision] = await decisionsOf(who, run.id);
    expect(decision).toMatchObject({ why: 'bar 1', state: 'refused', reason: expect.stringMatching(/10/) });
    expect(await ordersOf(who)).toEqual([]);
  });

  test('is seen by its owner only, also in a public project', async () => {
    const who = await runner();
    const { body: run } = await begin(who);
    nextBar();
    await step(run.id);
    await app.call('PATCH', `/v1/notebooks/${who.projectId}`, { token: who.token, body: { visibility: 'public' } });
    const other = { ...who, token: (await app.person()).token };
    const listed = await app.call<{ entries: unknown[] }>('GET', `/v1/strategies/${who.strategyId}/runs`, {
      token: other.token,
    });
    expect(listed).toMatchObject({ status: 200, body: { entries: [] } });
    const path = `/v1/strategies/${who.strategyId}/runs/${run.id}/decisions`;
    expect((await app.call('GET', path, { token: other.token })).status).toBe(404);
    expect((await app.call('GET', path, { token: who.token })).status).toBe(200);
  });

  test('stops when its owner may no longer run code there', async () => {
    const who = await runner();
    const { body: run } = await begin(who);
    await app.suspend(who.id, 'Enough');
    nextBar();
    await step(run.id);
    expect(await ordersOf(who)).toEqual([]);
  });

  test('runs on one’s own connections only, and is changed by its owner only', async () => {
    const [who, other] = [await runner(), await runner()];
    expect((await begin(who, { connection_id: other.connectionId })).status).toBe(404);
    const { body: run } = await begin(who);
    expect((await change({ ...other, strategyId: who.strategyId }, run.id, { action: 'stop' })).status).toBe(404);
    expect((await begin(who, { settings: { symbols: ['NO/USDT'], timeframe: '1m' } })).status).toBe(422);
    expect((await begin(who, { capital: -1 })).status).toBe(422);
    const request_id = newId();
    const [one, two] = [await begin(who, { request_id }), await begin(who, { request_id })];
    expect(one.body.id).toBe(two.body.id);
  });
});
