import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Candles, decimal, type Interval, intervalMs, sliceCandles } from '@atoll/trading';
import type { Decision, LiveBar, LiveFill, LiveState } from '@atoll/trading/backtest/live-types';
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { unattendedRunner } from '../../projects/service/unattended.ts';
import { readersAmong } from '../../publications/service/access.ts';
import { dataOf } from '../../trading/service/exchanges.ts';
import { marketsOf, tickersOf } from '../../trading/service/markets.ts';
import { cancelOne, placeOrder } from '../../trading/service/orders.ts';
import { exchangeConnections, tradingFills, tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions, strategyRuns } from '../table.ts';
import type { MarketTask, TestTask } from '../worker/messages.ts';
import { packColumns } from './candles.ts';
import { languageOf, readText } from './document.ts';
import { metered } from './metered.ts';
import { exchangeOf, positionsOf, setRunState } from './runs.ts';
import { rulesOf } from './task.ts';
import { inFolder } from './test-task.ts';
import { keepValue } from './values.ts';
import { inWorker, StrategyRefusal } from './worker-process.ts';

/** A strategy that has not decided by then hangs. */
const decideMs = 60_000;
/** Decisions that follow from fills: a purchase, its stop, its end. */
const mostRounds = 5;
/** Its history, and what has closed since: as many as an exchange answers at once. */
const barsAsked = 1_000;

/** Every minute: whatever has a new bar decides on it, and whatever was decided is ordered. */
export const tickJob = defineJob({
  kind: 'strategies.tick',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx, write }) {
    const going = await ctx.db
      .select({ id: strategyRuns.id, settings: strategyRuns.settings, lastBar: strategyRuns.lastBar })
      .from(strategyRuns)
      .where(eq(strategyRuns.state, 'running'));
    const undecided = await ctx.db
      .selectDistinct({ id: strategyDecisions.runId })
      .from(strategyDecisions)
      .where(eq(strategyDecisions.state, 'decided'));
    const now = ctx.now().getTime();
    const due = going.filter(
      ({ settings, lastBar }) => lastBar === null || now >= lastBar + 2 * intervalMs[settings.timeframe],
    );
    const ids = new Set([...due, ...undecided].map(({ id }) => id));
    if (ids.size === 0) return;
    await write(async ({ enqueue }) => {
      for (const id of ids) await enqueue(advanceJob, { run_id: id }, { key: id });
    });
  },
});
export const tickSchedule = { cron: '* * * * *', job: tickJob, payload: {}, isRunAtStart: true };

/**
 * One step of a run. What was decided is stored with the state that decided it, and ordered afterwards under the decision's
 * own id: killed anywhere in between, it decides nothing twice and orders nothing twice.
 */
export const advanceJob = defineJob({
  kind: 'strategies.advance',
  payload: z.object({ run_id: z.string() }),
  concurrency: 2,
  attempts: 10,
  async run({ ctx, payload, write, signal }) {
    const [run] = await ctx.db.select().from(strategyRuns).where(eq(strategyRuns.id, payload.run_id));
    if (!run) return;
    const owner = await unattendedRunner(ctx, run.ownerId, run.projectId);
    const stop = (reason: string) =>
      write(async (now) => {
        await refuseOpen(now, run.id, reason);
        await setRunState(ctx, now, run, 'failed', reason);
      });
    if (!owner) return stop('Its owner may no longer run code in this project.');
    if (!run.connectionId) return stop('Its connection was deleted.');
    await orderDecided(owner, run);
    if (run.state !== 'running') return;
    const pause = (reason: string) => write((now) => setRunState(ctx, now, run, 'paused', reason));
    if (run.isCopy && !(await isStillPublished(owner, run))) {
      return void (await pause(
        'The strategy is no longer published. Stop it, and decide what becomes of what it holds.',
      ));
    }
    const [connection] = await ctx.db
      .select({ state: exchangeConnections.state })
      .from(exchangeConnections)
      .where(eq(exchangeConnections.id, run.connectionId));
    if (connection?.state === 'halted') return void (await pause('Trading was halted on this connection.'));
    try {
      // What was filled at once is told at once: the stop of a purchase must not wait for the next bar.
      for (let round = 0; round < mostRounds; round++) {
        const next = await metered(ctx, run.ownerId, decideMs, (timeMs) => decide(ctx, run, timeMs, signal));
        if (!next) return;
        const { state, lastBar, equity } = next;
        const firstBar = run.firstBar ?? next.firstBar;
        await write(async ({ tx }) => {
          await storeDecisions(ctx, tx, run.id, next.decisions);
          await tx
            .update(strategyRuns)
            .set({ memory: { ...state }, firstBar, lastBar })
            .where(eq(strategyRuns.id, run.id));
          if (equity !== null) await keepValue(tx, run.id, lastBar + intervalMs[run.settings.timeframe], equity);
        });
        Object.assign(run, { memory: { ...state }, firstBar, lastBar });
        await orderDecided(owner, run);
        const { max_loss } = run.limits;
        if (max_loss === undefined || equity === null || equity > Number(run.capital) * (1 - max_loss)) continue;
        await write(async (now) => {
          await closePositions(ctx, now, run);
          await setRunState(ctx, now, run, 'stopped', `It lost ${max_loss * 100} % of its capital, the limit you set.`);
        });
        return;
      }
    } catch (error) {
      if (error instanceof AppError && error.extras.details?.reason === 'usage_limit_reached') {
        return void (await pause(error.message));
      }
      if (!(error instanceof StrategyRefusal)) throw error;
      return stop(error.problem.line === null ? error.message : `Line ${error.problem.line}: ${error.message}`);
    }
  },
});

interface Decided {
  decisions: Decision[];
  state: LiveState;
  firstBar: number | null;
  lastBar: number;
  /** At the last close; null before the first bar. */
  equity: number | null;
}

/** Whether its owner may still read what it is a copy of. */
async function isStillPublished(owner: Context, { publicationId }: RunRow): Promise<boolean> {
  if (!publicationId) return false;
  const { userId } = owner.actor;
  return userId !== null && (await readersAmong(owner.db, publicationId, [userId])).length > 0;
}

/** What it makes of the bars that have closed since the last time; null where there is none. */
async function decide(ctx: Context, run: RunRow, timeMs: number, signal: AbortSignal): Promise<Decided | null> {
  const { settings } = run;
  const interval: Interval = settings.timeframe;
  const exchange = exchangeOf(settings);
  const now = ctx.now().getTime();
  // At its start it decides on the bar that has closed last; those before it are its history.
  const after = run.lastBar ?? (Math.floor(now / intervalMs[interval]) - 2) * intervalMs[interval];
  const known = await marketsOf(ctx, exchange);
  return inFolder(async (folder) => {
    const bars: LiveBar[] = [];
    const markets: MarketTask[] = [];
    const closes = new Map<string, number>();
    for (const [index, symbol] of settings.symbols.entries()) {
      const market = known.get(symbol);
      if (!market) throw refusedMarket(symbol);
      const candles = await dataOf(ctx, exchange).candles(symbol, interval, now, barsAsked);
      const closed = closedBars(symbol, candles, interval, after, now);
      bars.push(...closed);
      closes.set(symbol, closed.at(-1)?.close ?? candles.close.at(-1) ?? 0);
      const path = join(folder, `${index}.columns`);
      const firstNew = candles.time.findIndex((time) => time > after);
      await writeFile(path, packColumns(sliceCandles(candles, 0, firstNew < 0 ? undefined : firstNew)));
      const { base, quote } = market;
      markets.push({ symbol, base, quote, rules: rulesOf(market), bars: { type: 'columns', path }, finer: null });
    }
    const state = Object.keys(run.memory).length > 0 ? (run.memory as unknown as LiveState) : null;
    const [market] = known.values();
    const news = await newsOf(ctx, state, (symbol) => Number(known.get(symbol)?.amountStep ?? 1e-8));
    if (bars.length + news.fills.length + news.ended.length === 0) return null;
    const test: TestTask = {
      code: await readText(ctx, run.codeBlob),
      language: languageOf(run.codePath),
      parameters: run.parameters,
      interval,
      markets,
      from: 0,
      until: now,
      outOfSampleFrom: null,
      capital: Number(run.capital),
      fees: { maker: Number(market?.makerFee ?? 0), taker: Number(market?.takerFee ?? 0) },
      slippage: 0,
      deposits: [],
      seed: settings.seed,
      tries: 1,
    };
    const { answer, state: next } = await inWorker(
      ctx,
      { kind: 'advance', test, runId: run.id, state, bars, ...news },
      { folder, timeMs, signal },
    );
    const held = next.lots.reduce((sum, { symbol, amount }) => sum + amount * (closes.get(symbol) ?? 0), 0);
    return {
      decisions: answer.decisions,
      state: next,
      firstBar: bars.length > 0 ? Math.min(...bars.map(({ time }) => time)) : null,
      lastBar: Math.max(after, ...bars.map(({ time }) => time)),
      equity: bars.length > 0 || run.lastBar !== null ? next.cash + held : null,
    };
  });
}

const refusedMarket = (symbol: string) =>
  new StrategyRefusal({ code: 'data', message: `${symbol} is no longer traded here.`, at: null, line: null });

function closedBars(symbol: string, candles: Candles, interval: Interval, after: number, now: number): LiveBar[] {
  const bars: LiveBar[] = [];
  for (const [index, time] of candles.time.entries()) {
    if (time <= after || time + intervalMs[interval] > now) continue;
    bars.push({
      symbol,
      time,
      open: candles.open[index] ?? 0,
      high: candles.high[index] ?? 0,
      low: candles.low[index] ?? 0,
      close: candles.close[index] ?? 0,
      volume: candles.volume[index] ?? 0,
    });
  }
  return bars;
}

/** What became of the orders it knows as open. */
async function newsOf(
  ctx: Context,
  state: LiveState | null,
  stepOf: (symbol: string) => number,
): Promise<{ fills: LiveFill[]; ended: string[] }> {
  const open = state?.orders ?? [];
  const [fills, ended]: [LiveFill[], string[]] = [[], []];
  if (open.length === 0) return { fills, ended };
  const rows = await ctx.db
    .select({ decision: strategyDecisions, order: tradingOrders })
    .from(strategyDecisions)
    .leftJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .where(
      inArray(
        strategyDecisions.id,
        open.map(({ placing }) => placing.id),
      ),
    );
  for (const { placing, filled } of open) {
    const found = rows.find(({ decision }) => decision.id === placing.id);
    if (!found) continue;
    const { decision, order } = found;
    const parts = order ? await ctx.db.select().from(tradingFills).where(eq(tradingFills.orderId, order.id)) : [];
    const [base = '', quote = ''] = placing.symbol.split('/');
    // All of it as one fill at the mean price; of one that was told in part, the rest. A fee in the base was never received,
    // so that what is held can be sold; one in a third asset is nothing the strategy has.
    const feeIn = (asset: string) =>
      parts.filter(({ feeAsset }) => feeAsset === asset).reduce((sum, { fee }) => sum + Number(fee), 0);
    const all = parts.reduce((sum, { amount }) => sum + Number(amount), 0);
    // Less than a step cannot be sold: a strategy that held it would never be without a position again.
    const step = stepOf(placing.symbol);
    const received =
      placing.side === 'buy' ? Number((Math.floor((all - feeIn(base)) / step + 1e-9) * step).toFixed(12)) : all;
    const value = parts.reduce((sum, { amount, price }) => sum + Number(amount) * Number(price), 0);
    const amount = received - filled;
    if (amount > 1e-12) {
      fills.push({
        order: placing.id,
        amount,
        price: value / received,
        fee: (feeIn(quote) * amount) / received,
        time: Math.max(...parts.map(({ at }) => at.getTime())),
      });
    }
    const isOver = order !== null && order.state !== 'formed' && order.state !== 'open';
    if (decision.state === 'refused' || isOver) ended.push(placing.id);
  }
  return { fills, ended };
}

const text = (value: number | null) => (value === null ? null : decimal(value).toFixed());

/** Orders what was decided, in its order. Sent again, an order is the one that was placed. */
async function orderDecided(owner: Context, run: RunRow): Promise<void> {
  const { connectionId } = run;
  if (!connectionId) return;
  const waiting = await owner.db
    .select()
    .from(strategyDecisions)
    .where(and(eq(strategyDecisions.runId, run.id), eq(strategyDecisions.state, 'decided')))
    .orderBy(asc(strategyDecisions.bar), asc(strategyDecisions.sequence));
  for (const { id, decision } of waiting) {
    let end: { state: 'ordered' | 'refused'; reason?: string; orderId?: string };
    try {
      await keepToLimits(owner, run, decision);
      end = { state: 'ordered', orderId: await carryOut(owner, connectionId, decision) };
    } catch (error) {
      // What the exchange or the limits refuse is final; all else is tried again with the next step.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      end = { state: 'refused', reason: error.message };
    }
    await owner.write(async ({ tx, emit }) => {
      await tx.update(strategyDecisions).set(end).where(eq(strategyDecisions.id, id));
      if (end.orderId && decision.kind === 'place')
        await emit('strategy.ordered', { run_id: run.id, decision_id: id, order_id: end.orderId });
    });
  }
}

/** A purchase that its owner would not have wanted. What is held can always be sold. */
async function keepToLimits(owner: Context, run: RunRow, decision: Decision): Promise<void> {
  const { max_order } = run.limits;
  if (max_order === undefined || decision.kind !== 'place' || decision.side !== 'buy') return;
  const { symbol, amount, price, stopPrice } = decision;
  const last = (await tickersOf(owner, exchangeOf(run.settings))).get(symbol)?.last;
  const value = amount * (price ?? stopPrice ?? Number(last ?? Number.POSITIVE_INFINITY));
  if (value <= max_order) return;
  const quote = symbol.split('/')[1] ?? '';
  throw new AppError('conflict', `Its value is more than the ${max_order} ${quote} that you set for one order.`);
}

async function carryOut(owner: Context, connectionId: string, decision: Decision): Promise<string> {
  if (decision.kind === 'cancel') {
    const [placed] = await owner.db
      .select({ orderId: strategyDecisions.orderId })
      .from(strategyDecisions)
      .where(and(eq(strategyDecisions.id, decision.order), isNotNull(strategyDecisions.orderId)));
    if (!placed?.orderId) throw new AppError('conflict', 'There is no such order.');
    return (await cancelOne(owner, placed.orderId)).id;
  }
  const { symbol, side, type, amount, price, stopPrice } = decision;
  const order = await placeOrder(
    owner,
    {
      connection_id: connectionId,
      request_id: requestIdOf(decision.id),
      symbol,
      side,
      type,
      amount: decimal(amount).toFixed(),
      price: text(price),
      stop_price: text(stopPrice),
    },
    'strategy',
  );
  return order.id;
}

async function refuseOpen({ tx }: Write, runId: string, reason: string): Promise<void> {
  await tx
    .update(strategyDecisions)
    .set({ state: 'refused', reason })
    .where(and(eq(strategyDecisions.runId, runId), eq(strategyDecisions.state, 'decided')));
}

/** The id of a decision that is ours and not the strategy's. */
function decisionId(...parts: (string | number)[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);
}

/** By it an order that was sent before is known. */
const requestIdOf = (id: string) =>
  `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20, 32)}`;

/** Sells what a run holds: decided here, ordered as everything is. */
export async function closePositions(ctx: Context, { tx, enqueue }: Write, run: RunRow): Promise<void> {
  const state = run.memory as unknown as Partial<LiveState>;
  const shared = { time: (run.lastBar ?? 0) + 1, reason: 'Stopped' };
  const decisions: Decision[] = [
    ...(state.orders ?? []).map(({ placing: { id, symbol } }): Decision => {
      return { ...shared, kind: 'cancel', id: decisionId(run.id, 'cancel', id), symbol, order: id };
    }),
    ...positionsOf(state).map(({ symbol, amount }): Decision => {
      const order = { symbol, side: 'sell', type: 'market', amount, price: null, stopPrice: null } as const;
      return { ...shared, kind: 'place', id: decisionId(run.id, 'close', symbol), ...order };
    }),
  ];
  await storeDecisions(ctx, tx, run.id, decisions);
  await enqueue(advanceJob, { run_id: run.id }, { key: run.id });
}

/** Those that are stored already are the same. */
async function storeDecisions(ctx: Context, tx: Write['tx'], runId: string, decisions: Decision[]): Promise<void> {
  for (const [sequence, decision] of decisions.entries()) {
    const { id, time: bar } = decision;
    await tx
      .insert(strategyDecisions)
      .values({ id, runId, bar, sequence, decision, state: 'decided', at: ctx.now() })
      .onConflictDoNothing();
  }
}
