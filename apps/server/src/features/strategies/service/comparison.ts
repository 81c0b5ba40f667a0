import type { Figure, RunComparison } from '@atoll/contract';
import { intervalMs } from '@atoll/trading';
import type { BacktestOutcome } from '@atoll/trading/backtest/job';
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions } from '../table.ts';
import { languageOf, readText } from './document.ts';
import { meteredRequest } from './metered.ts';
import { prepareTask } from './process/task.ts';
import { inFolder } from './process/test-task.ts';
import { inWorker } from './process/worker-process.ts';
import { valuesOf } from './values.ts';

const timeMs = 120_000;
const mostPoints = 600;

interface LiveOrder {
  bar: number;
  symbol: string;
  side: 'buy' | 'sell';
  price: number;
}

/** What the same code would have made of the same bars, beside what it made. */
export async function compareRun(ctx: Context, run: RunRow): Promise<RunComparison> {
  const interval = intervalMs[run.settings.timeframe];
  const { firstBar: from } = run;
  if (from === null || run.lastBar === null)
    throw new AppError('conflict', 'It has not decided yet: come back after its first bar.');
  const until = run.lastBar + interval;
  const outcome = await meteredRequest(ctx, run, timeMs, (grantedMs) =>
    inFolder(async (folder) => {
      const { projectId, parameters, settings } = run;
      const code = await readText(ctx, run.codeBlob);
      const input = {
        projectId,
        code,
        language: languageOf(run.codePath),
        parameters,
        settings,
        until: new Date(until),
        tries: 1,
      };
      const test = { ...(await prepareTask(ctx, input, folder)), from, capital: Number(run.capital) };
      return (await inWorker(ctx, { kind: 'backtest', test }, { folder, timeMs: grantedMs })).outcome;
    }),
  );
  if (outcome.problem) throw new AppError('conflict', outcome.problem.message);
  const [values, orders] = await Promise.all([valuesOf(ctx, run.id), filledOrders(ctx, run.id)]);
  return { from, to: until, ...besides(run, outcome, values, orders) };
}

const filledOrders = async (ctx: Context, runId: string): Promise<LiveOrder[]> => {
  const rows = await ctx.db
    .select({ bar: strategyDecisions.bar, order: tradingOrders })
    .from(strategyDecisions)
    .innerJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .where(
      and(
        eq(strategyDecisions.runId, runId),
        sql`${strategyDecisions.decision} ->> 'kind' = 'place'`,
        isNotNull(tradingOrders.average),
      ),
    )
    .orderBy(asc(strategyDecisions.bar), asc(strategyDecisions.sequence))
    .limit(50_000);
  return rows.map(({ bar, order: { symbol, side, average } }) => ({ bar, symbol, side, price: Number(average) }));
};

function besides(
  { capital }: RunRow,
  { series: whole, orders }: BacktestOutcome,
  values: { time: number; equity: number }[],
  live: LiveOrder[],
): Omit<RunComparison, 'from' | 'to'> {
  const start = Number(capital);
  const tested = orders.filter(({ price }) => price !== null);
  const keyOf = (bar: number, symbol: string, side: string) => `${bar} ${symbol} ${side}`;
  // An order is the same where both made it at the same bar.
  const byKey = Map.groupBy(tested, ({ time, symbol, side }) => keyOf(time, symbol, side));
  const worse: number[] = [];
  for (const { bar, symbol, side, price } of live) {
    const match = byKey.get(keyOf(bar, symbol, side))?.shift();
    if (!match?.price) continue;
    const difference = price / match.price - 1;
    worse.push(side === 'buy' ? difference : -difference);
  }
  const step = Math.ceil(values.length / mostPoints) || 1;
  const shown = values.filter((_, index) => index % step === 0 || index === values.length - 1);
  const at = (time: number) => {
    const index = whole.time.findLastIndex((each) => each <= time);
    return whole.equity[index] ?? start;
  };
  const series = {
    time: shown.map(({ time }) => time),
    live: shown.map((value) => value.equity),
    backtest: shown.map(({ time }) => at(time)),
  };
  const side = (curve: number[], count: number) => ({
    total_return: grown(curve, start),
    max_drawdown: fallen(curve, start),
    orders: count,
  });
  return {
    series,
    live: side(series.live, live.length),
    backtest: side(series.backtest, tested.length),
    price_difference:
      worse.length === 0
        ? { value: null, reason: 'no order was made by both' }
        : { value: worse.reduce((sum, each) => sum + each, 0) / worse.length, reason: null },
    same_orders: worse.length,
    only_live: live.length - worse.length,
    only_backtest: tested.length - worse.length,
  };
}

function grown(curve: number[], start: number): Figure {
  const last = curve.at(-1);
  return last === undefined ? { value: null, reason: 'too short' } : { value: last / start - 1, reason: null };
}

function fallen(curve: number[], start: number): Figure {
  let [highest, deepest] = [start, 0];
  for (const value of curve) {
    highest = Math.max(highest, value);
    deepest = Math.min(deepest, value / highest - 1);
  }
  return curve.length === 0 ? { value: null, reason: 'too short' } : { value: deepest, reason: null };
}
