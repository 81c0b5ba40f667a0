import type { PublishedStrategyDetail, ReturnWindows, StrategySignal } from '@atoll/contract';
import { demoAssetOf, intervalMs } from '@atoll/trading';
import { and, count, desc, eq, ne, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { notify } from '../../notifications/service/notify.ts';
import { readersAmong, requirePublication } from '../../publications/service/access.ts';
import { publicationViews } from '../../publications/service/relations.ts';
import { publications, publicationVersions } from '../../publications/table.ts';
import { tickersOf } from '../../trading/service/markets.ts';
import { tradingOrders } from '../../trading/table.ts';
import {
  publishedStrategies,
  type RunRow,
  strategyDecisions,
  strategyFollowers,
  strategyRuns,
  strategyTests,
} from '../table.ts';
import { viewVerification } from '../view.ts';
import { publicRuns } from './public-runs.ts';
import { exchangeOf, holdingsOf, liveOf } from './runs.ts';
import { type Curve, growthOf, readSnapshot, type Snapshot, startOf, windowOf } from './snapshot.ts';
import { valuesOf } from './values.ts';

const windows = { '1d': 1, '7d': 7, '30d': 30, max: null } as const;
const chartPoints = 120;

/** A published strategy that the caller may read, with the version that is shown. */
export async function requirePublished(ctx: Context, id: string) {
  const readable = await requirePublication(ctx, ctx.db, id, 'publication.view');
  const { publication } = readable;
  if (publication.contentKind !== 'strategies') throw notFound('This strategy');
  const [row] = await ctx.db
    .select({ version: publicationVersions, published: publishedStrategies, test: strategyTests })
    .from(publicationVersions)
    .innerJoin(publishedStrategies, eq(publishedStrategies.publicationId, id))
    .leftJoin(strategyTests, eq(strategyTests.id, publishedStrategies.testId))
    .where(eq(publicationVersions.id, publication.versionId ?? nobody));
  if (!row) throw notFound('This strategy');
  return { ...readable, ...row, snapshot: await readSnapshot(ctx, row.version.sourceBlob) };
}

const publicRunOf = async (ctx: Context, fileId: string | null): Promise<RunRow | null> =>
  (fileId && (await publicRuns(ctx, [fileId])).get(fileId)) || null;

/** Of the last day, week, month and all of it: the return, and its line. */
export function windowsOf(curve: Curve): ReturnWindows {
  const { time, equity } = curve;
  const of = (days: number | null) => {
    const start = startOf(curve, days);
    const first = equity[start] ?? 0;
    const value = windowOf(curve, days);
    const step = Math.max(1, Math.ceil((time.length - start) / chartPoints));
    const chart = time.flatMap((at, index): [number, number][] => {
      const isShown =
        value.value !== null && index >= start && ((index - start) % step === 0 || index === time.length - 1);
      return isShown ? [[at, (equity[index] ?? first) / first]] : [];
    });
    return { value, chart };
  };
  return { '1d': of(windows['1d']), '7d': of(windows['7d']), '30d': of(windows['30d']), max: of(windows.max) };
}

/** The figure of all of it is that of the backtest, which counts by days; the line ends there but for that. */
function backtestReturns(snapshot: Snapshot): ReturnWindows {
  const { time, equity } = growthOf(snapshot);
  const start = (time[0] ?? 0) - intervalMs[snapshot.settings.timeframe];
  const returns = windowsOf({ time: [start, ...time], equity: [1, ...equity] });
  const value = snapshot.result.summary?.figures.total_return ?? returns.max.value;
  return { ...returns, max: { ...returns.max, value } };
}

const categoryOf = (asset: string) => demoAssetOf(asset)?.category ?? 'Other';

export async function getPublished(ctx: Context, id: string): Promise<PublishedStrategyDetail> {
  const found = await requirePublished(ctx, id);
  const { publication, project, abilities, published, snapshot, test } = found;
  const [view] = await publicationViews(ctx, ctx.db, [{ publication, project, abilities, isReadable: true }]);
  if (!view) throw notFound('This strategy');
  const run = await publicRunOf(ctx, publication.fileId);
  const [followers] = await ctx.db
    .select({
      count: count(),
      own: sql<boolean>`coalesce(bool_or(${strategyFollowers.userId} = ${ctx.actor.userId}::uuid), false)`,
    })
    .from(strategyFollowers)
    .where(eq(strategyFollowers.publicationId, id));
  const { source } = snapshot.settings;
  return {
    ...published.card,
    publication: view,
    verification: test && viewVerification(test),
    live: run && (await liveOf(ctx, run)),
    backtest_returns: backtestReturns(snapshot),
    live_returns: run && windowsOf(await liveCurve(ctx, run)),
    weights: run && (await weightsOf(ctx, run)),
    assets: await assetsOf(ctx, snapshot),
    follower_count: followers?.count ?? 0,
    is_following: followers?.own ?? false,
    exchange: exchangeOf(snapshot.settings),
    is_copyable: source.type === 'exchange',
  };
}

/** From its capital on. */
async function liveCurve(ctx: Context, run: RunRow): Promise<Curve> {
  const values = await valuesOf(ctx, run.id);
  return {
    time: [run.startedAt.getTime(), ...values.map(({ time }) => time)],
    equity: [Number(run.capital), ...values.map(({ equity }) => equity)],
  };
}

async function pricesOf(ctx: Context, settings: RunRow['settings']) {
  if (settings.source.type === 'file') return null;
  return tickersOf(ctx, settings.source.exchange).catch(() => null);
}

async function weightsOf(ctx: Context, run: RunRow): Promise<PublishedStrategyDetail['weights']> {
  if (run.lastBar === null) return null;
  const [{ cash, positions }, prices] = await Promise.all([holdingsOf(ctx, run), pricesOf(ctx, run.settings)]);
  const held = positions.map(({ symbol, amount }) => ({
    asset: symbol.split('/')[0] ?? symbol,
    value: amount * Number(prices?.get(symbol)?.last ?? Number.NaN),
  }));
  const total = held.reduce((sum, { value }) => sum + value, cash);
  if (!(total > 0)) return null;
  const money = { asset: run.settings.symbols[0]?.split('/')[1] ?? 'Cash', value: cash };
  return [...held, money]
    .map(({ asset, value }) => ({
      asset,
      category: asset === money.asset ? 'Cash' : categoryOf(asset),
      share: value / total,
    }))
    .sort((a, b) => b.share - a.share);
}

async function assetsOf(ctx: Context, { settings }: Snapshot): Promise<PublishedStrategyDetail['assets']> {
  const prices = await pricesOf(ctx, settings);
  return settings.symbols.map((symbol) => {
    const asset = symbol.split('/')[0] ?? symbol;
    const price = Number(prices?.get(symbol)?.last);
    return { asset, category: categoryOf(asset), price: Number.isFinite(price) ? price : null };
  });
}

export async function follow(ctx: Context, id: string): Promise<void> {
  await requirePublished(ctx, id);
  const { userId } = ctx;
  await ctx.write(({ tx }) =>
    tx.insert(strategyFollowers).values({ publicationId: id, userId, createdAt: ctx.now() }).onConflictDoNothing(),
  );
}

/** Who follows can always stop, also when it is no longer theirs to read. */
export async function unfollow(ctx: Context, id: string): Promise<void> {
  const own = and(eq(strategyFollowers.publicationId, id), eq(strategyFollowers.userId, ctx.actor.userId ?? nobody));
  const gone = await ctx.write(({ tx }) => tx.delete(strategyFollowers).where(own).returning());
  if (gone.length === 0) await requirePublished(ctx, id);
}

const signals = (ctx: Context) =>
  ctx.db
    .select({ decision: strategyDecisions, order: tradingOrders, run: strategyRuns })
    .from(strategyDecisions)
    .innerJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .innerJoin(strategyRuns, eq(strategyRuns.id, strategyDecisions.runId));
type SignalRow = Awaited<ReturnType<typeof signals>>[number];

/** In shares: what somebody trades with is theirs to know. */
function viewSignal({ decision, order, run }: SignalRow): StrategySignal {
  const price = order.average ?? order.price ?? order.stopPrice;
  return {
    id: decision.id,
    at: decision.at.toISOString(),
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    price: price === null ? null : Number(price),
    share: Number(run.capital) > 0 ? Number(order.value) / Number(run.capital) : null,
    why: decision.decision.reason,
  };
}

export async function listSignals(ctx: Context, id: string, page: number, pageSize: number) {
  const { publication } = await requirePublished(ctx, id);
  const run = await publicRunOf(ctx, publication.fileId);
  if (!run) return { entries: [], page, page_size: pageSize, total: 0 };
  const ofRun = and(eq(strategyDecisions.runId, run.id), isSignal);
  const [rows, [counted]] = await Promise.all([
    signals(ctx)
      .where(ofRun)
      .orderBy(desc(strategyDecisions.bar), desc(strategyDecisions.at), desc(strategyDecisions.sequence))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db
      .select({ total: count() })
      .from(strategyDecisions)
      .innerJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
      .where(ofRun),
  ]);
  return { entries: rows.map(viewSignal), page, page_size: pageSize, total: counted?.total ?? 0 };
}

const isSignal = and(
  eq(strategyDecisions.state, 'ordered'),
  ne(tradingOrders.state, 'rejected'),
  ne(sql`${strategyDecisions.decision} ->> 'kind'`, 'cancel'),
);

/** Those who follow it are told; each who may still read it. */
export async function notifyFollowers(ctx: Context, decisionId: string): Promise<void> {
  const [row] = await signals(ctx).where(and(eq(strategyDecisions.id, decisionId), isSignal));
  if (!row?.run.fileId) return;
  const [publication] = await ctx.db
    .select()
    .from(publications)
    .where(and(eq(publications.fileId, row.run.fileId), eq(publications.contentKind, 'strategies')));
  if (!publication || (await publicRunOf(ctx, row.run.fileId))?.id !== row.run.id) return;
  const followers = await ctx.db
    .select({ userId: strategyFollowers.userId })
    .from(strategyFollowers)
    .where(eq(strategyFollowers.publicationId, publication.id));
  const ids = followers.map(({ userId }) => userId);
  const readers = await readersAmong(ctx.db, publication.id, ids);
  const { side, symbol, price, share, why } = viewSignal(row);
  const much = share === null ? '' : ` with ${(share * 100).toFixed(0)} % of its capital`;
  const at = price === null ? '' : ` at ${price}`;
  const excerpt = `${side} ${symbol}${at}${side === 'buy' ? much : ''}${why ? ` (${why})` : ''}`.slice(0, 300);
  await notify(ctx, readers, {
    type: 'strategy_signal',
    actorId: null,
    entity: { type: 'publication', id: publication.id },
    metadata: { excerpt },
    key: `signal:${decisionId}`,
  });
}
