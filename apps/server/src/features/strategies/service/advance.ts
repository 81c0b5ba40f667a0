import { createHash } from 'node:crypto';
import { type Candles, decimal, type Interval, intervalMs } from '@atoll/trading';
import type { Decision, LiveBar, LiveFill, LiveState } from '@atoll/trading/backtest/live';
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { unattendedRunner } from '../../projects/service/unattended.ts';
import { dataOf } from '../../trading/service/exchanges.ts';
import { cancelOne, placeOrder } from '../../trading/service/orders.ts';
import { exchangeConnections, tradingFills, tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions, strategyRuns } from '../table.ts';
import { readText } from './document.ts';
import { exchangeOf, setRunState } from './runs.ts';
import { prepareTask } from './task.ts';
import { inFolder } from './test-task.ts';
import { inWorker, StrategyRefusal } from './worker-process.ts';

/** A strategy that has not decided by then hangs. */
const decideMs = 60_000;
/** After a long stop only so many bars are caught up with one by one. */
const mostBarsAtOnce = 500;

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
    const [connection] = await ctx.db
      .select({ state: exchangeConnections.state })
      .from(exchangeConnections)
      .where(eq(exchangeConnections.id, run.connectionId));
    if (connection?.state === 'halted') {
      await write((now) => setRunState(ctx, now, run, 'paused', 'Trading was halted on this connection.'));
      return;
    }
    try {
      const next = await decide(ctx, run, signal);
      if (!next) return;
      await write(async ({ tx }) => {
        for (const [sequence, decision] of next.decisions.entries()) {
          await tx
            .insert(strategyDecisions)
            .values({
              id: decision.id,
              runId: run.id,
              bar: decision.time,
              sequence,
              decision,
              state: 'decided',
              at: ctx.now(),
            })
            .onConflictDoNothing();
        }
        await tx
          .update(strategyRuns)
          .set({ memory: { ...next.state }, lastBar: next.lastBar })
          .where(eq(strategyRuns.id, run.id));
      });
    } catch (error) {
      if (!(error instanceof StrategyRefusal)) throw error;
      return stop(error.problem.line === null ? error.message : `Line ${error.problem.line}: ${error.message}`);
    }
    await orderDecided(owner, run);
  },
});

interface Decided {
  decisions: Decision[];
  state: LiveState;
  lastBar: number;
}

/** What it makes of the bars that have closed since the last time; null where there is none. */
async function decide(ctx: Context, run: RunRow, signal: AbortSignal): Promise<Decided | null> {
  const { settings } = run;
  const interval: Interval = settings.timeframe;
  const now = ctx.now().getTime();
  const bars: LiveBar[] = [];
  // At its start it decides on the bar that has closed last; those before it are its history.
  const after = run.lastBar ?? Math.floor(now / intervalMs[interval]) * intervalMs[interval] - 2 * intervalMs[interval];
  const wanted = Math.min(mostBarsAtOnce, Math.ceil((now - after) / intervalMs[interval]));
  for (const symbol of settings.symbols) {
    const candles = await dataOf(ctx, exchangeOf(settings)).candles(symbol, interval, now, wanted + 1);
    bars.push(...closedBars(symbol, candles, interval, after, now));
  }
  if (bars.length === 0) return null;
  const fills = await fillsOf(ctx, run);
  const state = Object.keys(run.memory).length > 0 ? (run.memory as unknown as LiveState) : null;
  return inFolder(async (folder) => {
    const test = await prepareTask(
      ctx,
      {
        projectId: run.projectId,
        code: await readText(ctx, run.codeBlob),
        parameters: run.parameters,
        settings: { ...settings, uses_finer_bars: false },
        until: new Date(after + intervalMs[interval]),
        tries: 1,
      },
      folder,
    );
    const { answer, state: next } = await inWorker(
      ctx,
      { kind: 'advance', test, runId: run.id, state, bars, fills },
      { folder, timeMs: decideMs, signal },
    );
    return { decisions: answer.decisions, state: next, lastBar: Math.max(...bars.map(({ time }) => time)) };
  });
}

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
async function fillsOf(ctx: Context, run: RunRow): Promise<LiveFill[]> {
  const open = (run.memory as unknown as Partial<LiveState>).openOrders ?? [];
  if (open.length === 0) return [];
  const rows = await ctx.db
    .select({ decision: strategyDecisions, order: tradingOrders })
    .from(strategyDecisions)
    .leftJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .where(
      inArray(
        strategyDecisions.id,
        open.map(({ id }) => id),
      ),
    );
  const fills: LiveFill[] = [];
  for (const { decision, order } of rows) {
    const known = open.find(({ id }) => id === decision.id);
    if (!known) continue;
    const isFinal =
      decision.state === 'refused' || (order !== null && order.state !== 'formed' && order.state !== 'open');
    const parts = order
      ? await ctx.db
          .select()
          .from(tradingFills)
          .where(eq(tradingFills.orderId, order.id))
          .orderBy(asc(tradingFills.at), asc(tradingFills.fillId))
      : [];
    const total = parts.reduce((sum, { amount }) => sum.plus(amount), decimal(0));
    const news = Number(total.minus(known.filled).toFixed());
    if (news <= 0 && !isFinal) continue;
    const [base = '', quote = ''] = known.symbol.split('/');
    const value = parts.reduce((sum, { amount, price }) => sum + Number(amount) * Number(price), 0);
    // A fee in a third asset is nothing the strategy has.
    const fee = parts.reduce(
      (sum, each) =>
        sum +
        (each.feeAsset === quote
          ? Number(each.fee)
          : each.feeAsset === base
            ? Number(each.fee) * Number(each.price)
            : 0),
      0,
    );
    fills.push({
      order: decision.id,
      amount: Math.max(0, news),
      price: Number(total.toFixed()) > 0 ? value / Number(total.toFixed()) : 0,
      fee: known.filled > 0 && Number(total.toFixed()) > 0 ? (fee * news) / Number(total.toFixed()) : fee,
      time: (parts.at(-1)?.at ?? decision.at).getTime(),
      isFinal,
    });
  }
  return fills;
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
      end = { state: 'ordered', orderId: await carryOut(owner, connectionId, decision) };
    } catch (error) {
      // What the exchange or the limits refuse is final; all else is tried again with the next step.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      end = { state: 'refused', reason: error.message };
    }
    await owner.write(({ tx }) => tx.update(strategyDecisions).set(end).where(eq(strategyDecisions.id, id)));
  }
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
      request_id: decision.id,
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
  const digits = createHash('sha256').update(parts.join(' ')).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Sells what a run holds: decided here, ordered as everything is. */
export async function closePositions(ctx: Context, { tx, enqueue }: Write, run: RunRow): Promise<void> {
  const { positions = {}, openOrders = [] } = run.memory as unknown as Partial<LiveState>;
  const time = (run.lastBar ?? 0) + 1;
  const decisions: Decision[] = [
    ...openOrders.map(
      ({ id, symbol }): Decision => ({
        kind: 'cancel',
        id: decisionId(run.id, 'cancel', id),
        time,
        symbol,
        order: id,
        reason: 'Stopped',
      }),
    ),
    ...Object.entries(positions)
      .filter(([, { amount }]) => amount > 0)
      .map(
        ([symbol, { amount }]): Decision => ({
          kind: 'place',
          id: decisionId(run.id, 'close', symbol),
          time,
          symbol,
          side: 'sell',
          type: 'market',
          amount,
          price: null,
          stopPrice: null,
          stop: null,
          takeProfit: null,
          reason: 'Stopped',
        }),
      ),
  ];
  for (const [sequence, decision] of decisions.entries()) {
    await tx
      .insert(strategyDecisions)
      .values({ id: decision.id, runId: run.id, bar: time, sequence, decision, state: 'decided', at: ctx.now() })
      .onConflictDoNothing();
  }
  await enqueue(advanceJob, { run_id: run.id }, { key: run.id });
}
