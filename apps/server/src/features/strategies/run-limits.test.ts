import { Readable } from 'node:stream';
import type { Decision } from '@atoll/trading/backtest/live/live-types';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { unattendedRunner } from '../projects/service/unattended.ts';
import { tickersOf } from '../trading/service/markets.ts';
import { orderDecided, storeDecisions } from './service/decisions.ts';
import { readLiveAnswer } from './service/live-answer.ts';
import { strategyRuns } from './table.ts';
import { onlyBuys, type Runner, strategyRunner } from './test-runs.ts';
import { readLines } from './worker/lines.ts';
import type { Answers } from './worker/messages.ts';

const app = await createSharedApp();
const it = strategyRunner(app);

const idle = 'export default strategy({ start() { return { onBar() {} }; } });';
let count = 0;
const idOf = () => (++count).toString(16).padStart(32, '0');
type Placed = Extract<Decision, { kind: 'place' }>;
const buy = (of: Partial<Placed>): Decision => ({
  ...{ kind: 'place', id: idOf(), time: app.clock.time, symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: 0 },
  ...{ price: null, stopPrice: null, reason: '', ...of },
});

/** As a process that people's code has taken over would answer: any decisions, and any figures of its own. */
async function decide(who: Runner, runId: string, decisions: Decision[]) {
  const ctx = app.app.system();
  const forged = { runId, lastTime: null, cash: 1e9, sequence: 0, random: 0, state: {}, orders: [], lots: [] };
  const ofRun = eq(strategyRuns.id, runId);
  await ctx.db.update(strategyRuns).set({ memory: forged }).where(ofRun);
  const [run] = await ctx.db.select().from(strategyRuns).where(ofRun);
  const owner = await unattendedRunner(ctx, who.id, who.projectId);
  if (!run || !owner) throw new Error('no run');
  await ctx.write(({ tx }) => storeDecisions(ctx, tx, runId, decisions));
  await orderDecided(owner, run);
  const all = await it.decisionsOf(who, runId);
  return decisions.map(({ id }) => all.find((each) => each.id === id));
}
/** In steps of the market. */
const amountFor = (value: number, price: number) => Math.floor((value / price) * 1e4) / 1e4;
const priceOf = async (symbol: string) => Number((await tickersOf(app.app.system(), 'demo')).get(symbol)?.last);
const placed = async (who: Runner) => (await it.ordersOf(who)).filter(({ source }) => source === 'strategy');
const refused = (text: string) => ({ state: 'refused', reason: expect.stringContaining(text) });

describe('by the books of the server a run', () => {
  test('buys no more than its capital, at once and in parts', async () => {
    const { who, run } = await it.running(idle);
    const amount = amountFor(600, await priceOf('BTC/USDT'));
    const [one, two] = await decide(who, run.id, [buy({ amount }), buy({ amount })]);
    expect(one).toMatchObject({ state: 'ordered' });
    expect(two).toMatchObject(refused('of its capital free'));
    const [far] = await decide(who, run.id, [buy({ amount: 10 * amount })]);
    expect(far).toMatchObject(refused('of its capital free'));
    expect(await placed(who)).toHaveLength(1);
  });

  test('spends nothing twice that a resting order holds, and gets it back when that is canceled', async () => {
    const { who, run } = await it.running(idle);
    const price = Math.round((await priceOf('BTC/USDT')) * 0.95);
    const resting = buy({ type: 'limit', price, amount: amountFor(900, price) });
    const other = buy({ type: 'limit', price, amount: amountFor(800, price) });
    const [first, second] = await decide(who, run.id, [resting, other]);
    expect(first).toMatchObject({ state: 'ordered' });
    expect(second).toMatchObject(refused('free'));
    const { symbol, time } = resting;
    const canceled: Decision = { kind: 'cancel', id: idOf(), time, symbol, order: resting.id, reason: '' };
    const [, again] = await decide(who, run.id, [canceled, { ...other, id: idOf() }]);
    expect(again).toMatchObject({ state: 'ordered' });
  });

  test('buys with all its cash when the price has moved since the bar closed', async () => {
    const { who, run } = await it.running(idle);
    const [bought] = await decide(who, run.id, [buy({ amount: amountFor(1_020, await priceOf('BTC/USDT')) })]);
    expect(bought).toMatchObject({ state: 'ordered' });
    const [order] = await placed(who);
    expect(Number(order?.value)).toBeLessThanOrEqual(1_000);
    expect(Number(order?.value)).toBeGreaterThan(980);
  });

  test('trades only its own markets', async () => {
    const { who, run } = await it.running(idle);
    const [other] = await decide(who, run.id, [buy({ symbol: 'ETH/USDT', amount: 0.1 })]);
    expect(other).toMatchObject(refused('does not trade ETH/USDT'));
    expect(await placed(who)).toEqual([]);
  });

  test('never sells what its owner held before', async () => {
    const { who, run } = await it.running(idle);
    const { status } = await app.post(who.token, '/v1/trading/orders', {
      ...{ connection_id: who.connectionId, request_id: newId(), symbol: 'BTC/USDT', side: 'buy', type: 'market' },
      amount: '0.01',
    });
    expect(status).toBe(200);
    const sell = { side: 'sell' } as const;
    const [all] = await decide(who, run.id, [buy({ ...sell, amount: 0.01 })]);
    expect(all).toMatchObject(refused('The run bought 0'));
    const [bought, own, more] = await decide(who, run.id, [
      buy({ amount: 0.004 }),
      buy({ ...sell, amount: 0.003 }),
      buy({ ...sell, amount: 0.003 }),
    ]);
    expect([bought, own]).toMatchObject([{ state: 'ordered' }, { state: 'ordered' }]);
    expect(more).toMatchObject(refused('that no other order sells'));
    // Not by a reason that only the server may give.
    const [stopped] = await decide(who, run.id, [buy({ ...sell, amount: 0.01, reason: 'Stopped' })]);
    expect(stopped).toMatchObject(refused('that no other order sells'));
  });

  test('cancels no order of another run', async () => {
    const { who, run } = await it.running(idle);
    const price = Math.round((await priceOf('BTC/USDT')) * 0.95);
    const resting = buy({ type: 'limit', price, amount: amountFor(100, price) });
    await decide(who, run.id, [resting]);
    const { body: other } = await it.begin(who);
    const { symbol, time } = resting;
    const foreign: Decision = { kind: 'cancel', id: idOf(), time, symbol, order: resting.id, reason: '' };
    expect(await decide(who, other.id, [foreign])).toMatchObject([refused('no such order')]);
    expect(await placed(who)).toMatchObject([{ state: 'open' }]);
  });

  test('decides nothing for tomorrow', async () => {
    const { who, run } = await it.running(idle);
    const [late] = await decide(who, run.id, [buy({ amount: 0.001, time: app.clock.time + 86_400_000 })]);
    expect(late).toMatchObject(refused('has not come'));
  });

  test('keeps to the largest order at the price of the market, whatever price the process names', async () => {
    const { who, run } = await it.running(idle, { limits: { max_order: 50 } });
    const [cheap] = await decide(who, run.id, [buy({ amount: 0.01, price: 0.01 })]);
    expect(cheap).toMatchObject(refused('50 USDT'));
  });

  test('shows what its orders made, whatever the process says of it', async () => {
    const { who, run } = await it.running(onlyBuys);
    await it.atNextBar(run.id);
    await decide(who, run.id, []);
    const shown = await it.runOf(who);
    expect(shown.positions).toHaveLength(1);
    expect(shown.equity).toBeGreaterThan(900);
    expect(shown.equity).toBeLessThan(1_100);
  });
});

describe('an answer', () => {
  const state = { runId: 'r', lastTime: 1, cash: 1, sequence: 1, random: 1, state: {}, orders: [], lots: [] };
  const answer = (decisions: unknown[], more: object = {}) =>
    ({ answer: { decisions, logs: [], revisions: [] }, state: { ...state, ...more } }) as unknown as Answers['advance'];

  test('in its form is taken', () => {
    expect(readLiveAnswer(answer([buy({ amount: 1 })])).decisions).toHaveLength(1);
  });
  test.each([
    ['garbage', 'garbage' as unknown as Answers['advance']],
    ['an id that is none', answer([{ ...buy({}), id: 'x' }])],
    ['an amount that is no number', answer([{ ...buy({}), amount: null }])],
    ['more decisions than a bar can have', answer(Array.from({ length: 2_001 }, () => buy({})))],
    ['orders that are none', answer([], { orders: { filled: 'all' } })],
    ['more than it may keep', answer([], { state: { all: 'x'.repeat(2 * 1024 ** 2) } })],
  ])('that is %s is refused', (_, given) => {
    expect(() => readLiveAnswer(given)).toThrow(/^It (answered something that is not a decision|keeps more than 1 MB)/);
  });
  test('of 100 MB is not read', async () => {
    const part = Buffer.alloc(1024 ** 2, 'x');
    let sent = 0;
    const stream = Readable.from(
      (function* () {
        for (; sent < 100; sent++) yield part;
      })(),
    );
    await new Promise<void>((resolve) => readLines(stream, 4 * 1024 ** 2, { onLine() {}, onTooMuch: resolve }));
    expect(sent).toBeLessThan(50);
  });
});
