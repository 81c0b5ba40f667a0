import type {
  PortfolioDetail,
  PublishedStrategyDetail,
  RunComparison,
  ServerUsage,
  StrategyRunView,
  StrategySignal,
} from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { kernelSessions } from '../kernels/table.ts';
import { unattendedRunner } from '../projects/service/unattended.ts';
import { quotaBalances, quotaReservations } from '../quota/table.ts';
import { tradingFills } from '../trading/table.ts';
import { meteredRequest } from './service/metered.ts';
import { strategyDecisions, strategyRuns } from './table.ts';
import { onlyBuys, type Runner, strategyRunner, swing } from './test-runs.ts';

const app = await createSharedApp();
const it = strategyRunner(app);

const detail = async (id: string, token?: string) =>
  (await app.call<PublishedStrategyDetail>('GET', `/v1/published_strategies/${id}`, token ? { token } : {})).body;

/** A portfolio on the demo of somebody who follows. */
async function follower() {
  const who = await it.runner();
  const { body: portfolio } = await app.post<PortfolioDetail>(who.token, '/v1/portfolios', {
    name: 'Mine',
    connection_ids: [who.connectionId],
  });
  return { ...who, portfolioId: portfolio.id };
}
type Follower = Awaited<ReturnType<typeof follower>>;
const copy = ({ token, portfolioId, connectionId }: Follower, id: string, body: object = {}) =>
  app.post<StrategyRunView & { message: string }>(token, `/v1/published_strategies/${id}/copies`, {
    portfolio_id: portfolioId,
    connection_id: connectionId,
    capital: 500,
    request_id: newId(),
    ...body,
  });
const copies = async ({ token, portfolioId }: Follower) =>
  (await app.call<{ entries: StrategyRunView[] }>('GET', `/v1/portfolios/${portfolioId}/strategies`, { token })).body
    .entries;

/** The demo has its bars of an hour when an hour has passed. */
const nextHour = () => {
  app.clock.time += 3_600_000;
};

describe('signals', () => {
  test('reach those who follow, without what the author trades with', async () => {
    const author = await it.runner();
    const publication = await it.publish(author, 'Signals of swing');
    const reader = await it.runner();
    const path = `/v1/published_strategies/${publication.id}`;
    expect(await detail(publication.id, reader.token)).toMatchObject({
      is_following: false,
      follower_count: 0,
      live_returns: null,
      weights: null,
      is_copyable: true,
      assets: [{ asset: 'BTC', category: expect.any(String), price: expect.any(Number) }],
    });
    expect((await app.call('PUT', `${path}/follow`, { token: reader.token })).status).toBe(200);
    expect((await app.call('PUT', `${path}/follow`, { token: reader.token })).status).toBe(200);
    const { body: run } = await it.begin(author);
    await it.atNextBar(run.id);
    await app.app.relay.settled();
    const told = await app.notifications(reader.token);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      type: 'strategy_signal',
      metadata: { excerpt: expect.stringMatching(/^buy BTC\/USDT at [\d.]+ with 10 % of its capital \(bar 1\)$/) },
    });
    const listed = await app.get<{ entries: StrategySignal[]; total: number }>(reader.token, `${path}/signals`);
    expect(listed.body).toMatchObject({ total: 1, entries: [{ side: 'buy', symbol: 'BTC/USDT', why: 'bar 1' }] });
    expect(JSON.stringify(listed.body)).not.toContain('1000');
    const resting = await it.publish(await it.runner(), 'Resting');
    const live = await app.call<{ entries: PublishedStrategyDetail[] }>('GET', '/v1/strategies', {
      query: { only_live: 'true', page_size: '100' },
    });
    const ids = live.body.entries.map((each) => each.publication.id);
    expect(ids).toContain(publication.id);
    expect(ids).not.toContain(resting.id);
    const byTime = await app.call<{ entries: PublishedStrategyDetail[] }>('GET', '/v1/strategies', {
      query: { sort_by: 'live_time', page_size: '100' },
    });
    const since = byTime.body.entries.map((each) => each.live?.since ?? 'none');
    expect(since).toEqual(since.toSorted());
    expect(since.at(-1)).toBe('none');
    const seen = await detail(publication.id, reader.token);
    expect(seen).toMatchObject({ is_following: true, follower_count: 1, live: { environment: 'demo' } });
    expect(seen.weights?.map(({ asset }) => asset).sort()).toEqual(['BTC', 'USDT']);
    expect(seen.weights?.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(seen.backtest_returns.max.chart.length).toBeGreaterThan(2);
    expect(seen.live_returns?.max.chart).toHaveLength(2);
    await app.call('DELETE', `${path}/follow`, { token: reader.token });
    await it.atNextBar(run.id);
    await app.app.relay.settled();
    const later = await app.notifications(reader.token);
    expect(later).toHaveLength(1);
  });

  test('are not for those who cannot read it', async () => {
    const author = await it.runner();
    const publication = await it.publish(author);
    const stranger = await it.runner();
    await app.patch(author.token, `/v1/publications/files/${author.strategyId}`, {
      title: 'Swing',
      access_level: 'draft',
    });
    const path = `/v1/published_strategies/${publication.id}`;
    for (const [method, part] of [
      ['GET', ''],
      ['PUT', '/follow'],
      ['GET', '/signals'],
    ] as const) {
      expect((await app.call(method, path + part, { token: stranger.token })).status).toBe(404);
    }
  });
});

describe('a copy', () => {
  test('runs the published code in one’s own portfolio, within one’s own limits, and never shows it', async () => {
    const author = await it.runner();
    const publication = await it.publish(author);
    const who = await follower();
    const request_id = newId();
    const { body: made, status } = await copy(who, publication.id, { limits: { max_order: 50 }, request_id });
    expect(status, made.message).toBe(200);
    expect((await copy(who, publication.id, { limits: { max_order: 50 }, request_id })).body.id).toBe(made.id);
    expect((await copy(who, publication.id, { limits: { max_order: 60 }, request_id })).status).toBe(409);
    expect(made).toMatchObject({
      file_id: null,
      copy_of: { title: 'Swing' },
      capital: 500,
      limits: { max_order: 50 },
      settings: { symbols: ['BTC/USDT'], timeframe: '1h' },
    });
    expect(JSON.stringify(made)).not.toContain('closePosition');
    nextHour();
    await it.step(made.id);
    const path = `/v1/portfolios/${who.portfolioId}/strategies/${made.id}`;
    const decided = await app.call<{ entries: object[] }>('GET', `${path}/decisions`, { token: who.token });
    expect(decided.body.entries[0]).toMatchObject({ state: 'refused', reason: expect.stringContaining('50 USDT') });
    expect(await it.ordersOf(who)).toEqual([]);
    // Nobody else's, and not the author's.
    expect((await app.call('GET', `${path}/decisions`, { token: author.token })).status).toBe(404);
    expect((await app.call('PATCH', path, { token: author.token, body: { action: 'stop' } })).status).toBe(404);
    expect(await it.runOf(author)).toBeUndefined();
    const stopped = await app.call<StrategyRunView>('PATCH', path, { token: who.token, body: { action: 'stop' } });
    expect(stopped.body).toMatchObject({ state: 'stopped' });
  });

  test('is stopped at the loss one accepts, sells all that it holds once, and says so', async () => {
    const author = await it.runner(onlyBuys);
    const publication = await it.publish(author);
    const who = await follower();
    const { body: made } = await copy(who, publication.id, { limits: { max_loss: 0.5 } });
    nextHour();
    await it.step(made.id);
    expect((await copies(who))[0]?.positions).toHaveLength(1);
    // As if it had paid four times as much; and as if its process named other figures.
    const [row] = await app.database.db.select().from(strategyRuns).where(eq(strategyRuns.id, made.id));
    await app.database.db
      .update(strategyRuns)
      .set({ memory: { ...row?.memory, cash: 1e9 } })
      .where(eq(strategyRuns.id, made.id));
    const [bought] = await it.ordersOf(who);
    await app.database.db
      .update(tradingFills)
      .set({ price: sql`price * 4` })
      .where(eq(tradingFills.orderId, bought?.id ?? ''));
    nextHour();
    await it.step(made.id);
    await it.step(made.id);
    const [after] = await copies(who);
    expect(after).toMatchObject({ state: 'stopped', reason: expect.stringContaining('50 %') });
    const orders = await it.ordersOf(who);
    expect(orders.map(({ side }) => side).toSorted()).toEqual(['buy', 'sell']);
    const balance = await app.get<{ entries: { asset: string; free: string }[] }>(who.token, '/v1/trading/balance');
    expect(Number(balance.body.entries.find(({ asset }) => asset === 'BTC')?.free ?? 0)).toBeLessThan(0.0001);
    await app.app.relay.settled();
    const told = await app.notifications(who.token);
    expect(told.map(({ type }) => type)).toContain('strategy_stopped');
  });

  test('is paused when the strategy is withdrawn', async () => {
    const author = await it.runner();
    const publication = await it.publish(author);
    const who = await follower();
    const { body: made } = await copy(who, publication.id);
    await app.patch(author.token, `/v1/publications/files/${author.strategyId}`, {
      title: 'Swing',
      access_level: 'draft',
    });
    nextHour();
    await it.step(made.id);
    expect((await copies(who))[0]).toMatchObject({ state: 'paused', reason: expect.stringContaining('published') });
    expect(await it.ordersOf(who)).toEqual([]);
  });

  test('is refused on what is not one’s own', async () => {
    const author = await it.runner();
    const publication = await it.publish(author);
    const [who, other] = [await follower(), await follower()];
    expect((await copy({ ...who, portfolioId: other.portfolioId }, publication.id)).status).toBe(404);
    expect((await copy({ ...who, connectionId: other.connectionId }, publication.id)).status).toBe(404);
    const { body: bare } = await app.post<PortfolioDetail>(who.token, '/v1/portfolios', { name: 'By hand' });
    expect((await copy({ ...who, portfolioId: bare.id }, publication.id)).status).toBe(422);
    expect((await copy(who, publication.id, { capital: 0 })).status).toBe(422);
    expect((await copy(who, publication.id, { limits: { max_loss: 2 } })).status).toBe(422);
    expect((await copy(who, newId())).status).toBe(404);
  });
});

describe('a run', () => {
  const compare = (who: Runner, runId: string) =>
    app.get<RunComparison & { message: string }>(
      who.token,
      `/v1/strategies/${who.strategyId}/runs/${runId}/comparison`,
    );

  test('is shown beside a backtest of the same bars', async () => {
    const { who, run } = await it.running();
    expect((await compare(who, run.id)).status).toBe(409);
    const bars = 6;
    for (let bar = 0; bar < bars; bar += 1) {
      await it.atNextBar(run.id);
    }
    const { body, status } = await compare(who, run.id);
    expect(status, body.message).toBe(200);
    expect(body.live.orders).toBe(bars);
    // The last order of a backtest has no bar to be filled in.
    expect(body.backtest.orders).toBe(bars - 1);
    expect(body.same_orders).toBe(bars - 1);
    expect(body.only_live).toBe(1);
    expect(Math.abs(body.price_difference.value ?? 1)).toBeLessThan(0.01);
    expect(body.series.live.at(-1)).toBeCloseTo(body.series.backtest.at(-1) ?? 0, -1);
  });

  test('uses the execution time of its owner, and is paused when there is none', async () => {
    const { who, run } = await it.running();
    await it.atNextBar(run.id);
    const used = await app.database.db.select().from(quotaReservations).where(eq(quotaReservations.userId, who.id));
    expect(used.length).toBeGreaterThan(0);
    expect(used.every(({ state, usedMs }) => state === 'settled' && usedMs > 0)).toBe(true);
    await app.database.db
      .update(quotaBalances)
      .set({ usedMs: sql`${quotaBalances.totalMs}` })
      .where(eq(quotaBalances.userId, who.id));
    await it.atNextBar(run.id);
    expect(await it.runOf(who)).toMatchObject({ state: 'paused', reason: expect.stringContaining('execution time') });
    const refused = await app.post<{ id: string }>(who.token, `/v1/strategies/${who.strategyId}/backtests`, {
      request_id: newId(),
      settings: { from: '2026-03-01', to: '2026-03-08' },
    });
    const path = `/v1/strategies/${who.strategyId}/backtests/${refused.body.id}`;
    const test = async () =>
      (await app.call<{ state: string; reason: string }>('GET', path, { token: who.token })).body;
    await expect.poll(async () => (await test()).state).toBe('failed');
    expect((await test()).reason).toContain('execution time');
  });
});

test('with less time left than a decision may take a run is paused, and does not fail half-way', async () => {
  const { who, run } = await it.running();
  await it.atNextBar(run.id);
  await app.database.db
    .update(quotaBalances)
    .set({ usedMs: sql`${quotaBalances.totalMs} - 30000` })
    .where(eq(quotaBalances.userId, who.id));
  await it.atNextBar(run.id);
  expect(await it.runOf(who)).toMatchObject({ state: 'paused', reason: expect.stringContaining('execution time') });
  expect(await it.ordersOf(who)).toHaveLength(1);
});

test('somebody has two tests computed at a time while they wait', async () => {
  const who = await it.runner();
  const ctx = await unattendedRunner(app.app.system(), who.id, who.projectId);
  if (!ctx) throw new Error('not theirs');
  const end = Promise.withResolvers<void>();
  const strategy = { projectId: who.projectId, fileId: null, codePath: 'strategy.ts' };
  const working = [0, 1].map(() => meteredRequest(ctx, strategy, 10_000, () => end.promise));
  await expect(meteredRequest(ctx, strategy, 10_000, async () => null)).rejects.toMatchObject({ status: 429 });
  end.resolve();
  await Promise.all(working);
  expect(await meteredRequest(ctx, strategy, 10_000, async () => 'a third')).toBe('a third');
  const { body } = await app.get<{ entries: ServerUsage[] }>(who.token, '/v1/my_usage');
  expect(body.entries).toHaveLength(3);
  expect(body.entries[0]).toMatchObject({
    execution_type: 'strategy_test',
    kernel: 'strategy.typescript',
    project: { id: who.projectId },
  });
  const [meter] = await app.database.db.select().from(quotaBalances).where(eq(quotaBalances.userId, who.id));
  const [listed] = await app.database.db
    .select({ usedMs: sql<number>`sum(used_ms)::float8` })
    .from(kernelSessions)
    .where(eq(kernelSessions.userId, who.id));
  expect(listed?.usedMs).toBe(meter?.usedMs);
});

test('a purchase that was placed before the server was ended is not refused afterwards for its price', async () => {
  const { who, run } = await it.running(swing, { limits: { max_order: 150 } });
  await it.atNextBar(run.id);
  // As if ended before it was noted, and as if the price had risen since.
  await app.database.db
    .update(strategyDecisions)
    .set({ state: 'decided', orderId: null })
    .where(eq(strategyDecisions.runId, run.id));
  await app.database.db
    .update(strategyRuns)
    .set({ limits: { max_order: 1 } })
    .where(eq(strategyRuns.id, run.id));
  await it.step(run.id);
  expect(await it.decisionsOf(who, run.id)).toMatchObject([{ state: 'ordered' }]);
  expect(await it.ordersOf(who)).toHaveLength(1);
});

test('what is followed and copied is the code as it was published', async () => {
  const author = await it.runner(swing);
  const publication = await it.publish(author);
  const who = await follower();
  const { body: made } = await copy(who, publication.id);
  const [row] = await app.database.db.select().from(strategyRuns).where(eq(strategyRuns.id, made.id));
  expect(row).toMatchObject({ isCopy: true, fileId: null, publicationId: publication.id, projectId: who.portfolioId });
});
