import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { BacktestResult, Figure, ParameterValues, TestSettings } from '@atoll/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { type StrategyCard, strategyTests, type TestRow } from '../table.ts';
import { readText } from './document.ts';
import { startOfDay } from './process/task.ts';
import type { StoredResult } from './test-result.ts';

/** What a version of a publication is made of: a backtest and the code that it ran, as they were. */
export interface Snapshot {
  testId: string;
  number: number;
  codePath: string;
  code: string;
  parameters: ParameterValues;
  settings: TestSettings;
  result: BacktestResult;
  /** How it was found; versions of before do not say it. */
  found?: { tries: number; walkForward: string | null };
}

const largest = 100 * 1024 ** 2;
const mostPoints = 600;
const mostRecent = 1_000;
const dayMs = 86_400_000;

/** Every so many, more of the last month, of which returns are told by the day, and the last. */
function thinned(series: BacktestResult['series']): BacktestResult['series'] {
  const { time } = series;
  const last = time.length - 1;
  const recent = time.findIndex((at) => at >= (time[last] ?? 0) - 32 * dayMs);
  const step = Math.ceil(time.length / mostPoints);
  const recentStep = Math.ceil((time.length - recent) / mostRecent);
  const kept = <Each>(values: Each[]) =>
    values.filter((_, index) => index % (index < recent ? step : recentStep) === 0 || index === last);
  return {
    time: kept(series.time),
    equity: kept(series.equity),
    drawdown: kept(series.drawdown),
    benchmark: kept(series.benchmark),
  };
}

/** The newest backtest that is done is what readers see. */
export async function newestSnapshot(ctx: Context, fileId: string): Promise<{ blob: string; testId: string }> {
  const [test] = await ctx.db
    .select()
    .from(strategyTests)
    .where(and(eq(strategyTests.fileId, fileId), eq(strategyTests.kind, 'backtest'), eq(strategyTests.state, 'done')))
    .orderBy(desc(strategyTests.number))
    .limit(1);
  const stored = test?.resultBlob ? (JSON.parse(await readText(ctx, test.resultBlob)) as StoredResult) : null;
  if (!test || !stored?.result?.summary)
    throw new AppError('conflict', 'Run a backtest first: its result is what readers see.');
  const { id: testId, number, codePath, parameters, settings } = test;
  const walkForward = await walkForwardOf(ctx, test);
  const snapshot: Snapshot = {
    ...{ testId, number, codePath, parameters, settings },
    code: await readText(ctx, test.codeBlob),
    found: { tries: test.tries ?? 1, walkForward },
    result: { ...stored.result, series: thinned(stored.result.series), orders: [], logs: [], trades: [] },
  };
  const { sha256 } = await ctx.blobs.put(Readable.from([Buffer.from(JSON.stringify(snapshot))]), largest);
  return { blob: sha256, testId };
}

/** In words, of the newest walk-forward of the same code on the same markets. */
async function walkForwardOf(ctx: Context, { fileId, codeBlob, settings }: TestRow): Promise<string | null> {
  const rows = await ctx.db
    .select()
    .from(strategyTests)
    .where(
      and(
        ...[eq(strategyTests.fileId, fileId), eq(strategyTests.codeBlob, codeBlob)],
        ...[eq(strategyTests.kind, 'walk_forward'), eq(strategyTests.state, 'done')],
      ),
    )
    .orderBy(desc(strategyTests.number));
  const { source, symbols, timeframe } = settings;
  const same = rows.find((row) =>
    isDeepStrictEqual(
      [row.settings.source, row.settings.symbols, row.settings.timeframe],
      [source, symbols, timeframe],
    ),
  );
  if (!same?.resultBlob) return null;
  const { folds, warning } = JSON.parse(await readText(ctx, same.resultBlob)) as StoredResult;
  return `${warning ?? ''} ${folds?.length ?? 0} parts.`.trim();
}

export const readSnapshot = async (ctx: Context, blob: string): Promise<Snapshot> =>
  JSON.parse(await readText(ctx, blob)) as Snapshot;

export interface Curve {
  time: number[];
  equity: number[];
}

/** What its capital became, from 1 on: what was paid in later, before the bars of a day, is no gain. */
export function growthOf({ settings, result }: Pick<Snapshot, 'settings' | 'result'>): Curve {
  const { time, equity } = result.series;
  const deposits = settings.deposits.map(({ at, amount }) => ({ at: startOfDay(at), amount }));
  let [before, growth] = [settings.capital, 1];
  return {
    time,
    equity: equity.map((value, index) => {
      const due = deposits.filter(({ at }) => at < (time[index] ?? 0) && at >= (time[index - 1] ?? 0));
      const paid = due.reduce((sum, { amount }) => sum + amount, 0);
      if (before + paid > 0) growth *= value / (before + paid);
      before = value;
      return growth;
    }),
  };
}

/** Where the last days begin: at the last value at or before their beginning. */
export const startOf = ({ time }: Curve, days: number | null): number =>
  days === null ? 0 : time.findLastIndex((at) => at <= (time.at(-1) ?? 0) - days * dayMs);

/** Of the last days, or of all of it. */
export function windowOf(curve: Curve, days: number | null): Figure {
  const { time, equity } = curve;
  const start = startOf(curve, days);
  const [first, last] = [equity[start], equity.at(-1)];
  if (time.length < 2 || last === undefined || first === undefined || first <= 0)
    return { value: null, reason: 'too short' };
  const since = (time.at(-1) ?? 0) - (time[start] ?? 0);
  if (days !== null && since > 1.5 * days * dayMs) return { value: null, reason: 'its values are too far apart' };
  return { value: last / first - 1, reason: null };
}

const none: Figure = { value: null, reason: 'not known' };
const chartPoints = 60;

export function cardOf({ settings, result }: Snapshot): StrategyCard {
  const { summary, checks } = result;
  const growth = growthOf({ settings, result });
  const figures = summary?.figures;
  const step = Math.max(1, Math.ceil(growth.equity.length / chartPoints));
  return {
    symbols: settings.symbols,
    timeframe: settings.timeframe,
    from: summary?.from ?? 0,
    to: summary?.to ?? 0,
    returns: {
      '1d': windowOf(growth, 1),
      '7d': windowOf(growth, 7),
      '30d': windowOf(growth, 30),
      max: figures?.total_return ?? none,
    },
    sharpe: figures?.sharpe ?? none,
    sharpe_error: figures?.sharpe_error ?? none,
    max_drawdown: figures?.max_drawdown ?? none,
    trades: summary?.closed_trades ?? 0,
    chart: [1, ...growth.equity.filter((_, index) => index % step === 0)],
    look_ahead: checks.look_ahead.state,
  };
}
