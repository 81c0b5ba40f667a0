import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Candles, type Interval, intervalMs, sliceCandles } from '@atoll/trading';
import type { Decision, LiveBar, LiveState } from '@atoll/trading/backtest/live/live-types';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { unattendedRunner } from '../../projects/service/unattended.ts';
import { readersAmong } from '../../publications/service/access.ts';
import { dataOf } from '../../trading/service/exchanges.ts';
import { marketsOf } from '../../trading/service/markets.ts';
import { exchangeConnections } from '../../trading/table.ts';
import { type RunRow, strategyDecisions, strategyRuns } from '../table.ts';
import type { MarketTask, TestTask } from '../worker/messages.ts';
import { equityOf, readBooks, stepOf } from './books.ts';
import { packColumns } from './candles.ts';
import { preparedClosing } from './closing.ts';
import { advanceKind, orderDecided, refuseOpen, storeDecisions } from './decisions.ts';
import { languageOf, readText } from './document.ts';
import { readLiveAnswer } from './live-answer.ts';
import { metered } from './metered.ts';
import { newsOf, runsWithOrderChanges } from './order-news.ts';
import { rulesOf } from './process/task.ts';
import { inFolder } from './process/test-task.ts';
import { inWorker, StrategyRefusal } from './process/worker-process.ts';
import { exchangeOf, setRunState } from './runs.ts';
import { keepValue } from './values.ts';

/** A strategy that has not decided by then hangs. */
const decideMs = 60_000;
/** So often it is looked whether somebody has stopped it meanwhile: its process is ended then, even when it hangs. */
const watchMs = 1_000;
/** Decisions that follow from fills: a purchase, its stop, its end. */
const mostRounds = 5;
/** Its history, and what has closed since: as many as an exchange answers at once. */
const barsAsked = 1_000;

/** Every minute: whatever has a new bar decides on it, whatever was decided is ordered, and whatever was filled is told. */
export const tickJob = defineJob({
  kind: 'strategies.tick',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx, write }) {
    const going = await ctx.db
      .select({
        id: strategyRuns.id,
        ownerId: strategyRuns.ownerId,
        settings: strategyRuns.settings,
        lastBar: strategyRuns.lastBar,
      })
      .from(strategyRuns)
      .where(eq(strategyRuns.state, 'running'));
    const undecided = await ctx.db
      .selectDistinct({ id: strategyDecisions.runId, ownerId: strategyRuns.ownerId })
      .from(strategyDecisions)
      .innerJoin(strategyRuns, eq(strategyRuns.id, strategyDecisions.runId))
      .where(eq(strategyDecisions.state, 'decided'));
    const now = ctx.now().getTime();
    const due = going.filter(
      ({ settings, lastBar }) => lastBar === null || now >= lastBar + 2 * intervalMs[settings.timeframe],
    );
    const runs = new Map(
      [...due, ...undecided, ...(await runsWithOrderChanges(ctx))].map(({ id, ownerId }) => [id, ownerId]),
    );
    if (runs.size === 0) return;
    await write(async ({ enqueue }) => {
      for (const [id, ownerId] of runs) await enqueue(advanceJob, { run_id: id }, { key: id, ownerId });
    });
  },
});
export const tickSchedule = { cron: '* * * * *', job: tickJob, payload: {}, isRunAtStart: true };

/**
 * One step of a run. What was decided is stored with the state that decided it, and ordered afterwards under the decision's
 * own id: killed anywhere in between, it decides nothing twice and orders nothing twice.
 */
export const advanceJob = defineJob({
  ...advanceKind,
  concurrency: 4,
  perOwner: 2,
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
    if ((await endingOf(ctx, run)) === 'halted') return void (await pause(haltedReason));
    const ended = new AbortController();
    const watch = setInterval(
      () =>
        void endingOf(ctx, run).then(
          (ending) => ending && ended.abort(new Ended(ending)),
          (error: unknown) => ctx.log.warn({ err: error }, 'whether a strategy still runs'),
        ),
      watchMs,
    );
    try {
      // What was filled at once is told at once: the stop of a purchase must not wait for the next bar.
      for (let round = 0; round < mostRounds; round++) {
        const next = await metered(
          ctx,
          run.ownerId,
          { strategy: run, wantedMs: decideMs, minimumMs: decideMs, isStep: true },
          (timeMs) => decide(ctx, run, timeMs, AbortSignal.any([signal, ended.signal])),
        );
        if (!next) return;
        const { state, lastBar, equity } = next;
        const { max_loss } = run.limits;
        if (max_loss !== undefined && equity !== null && equity <= Number(run.capital) * (1 - max_loss)) {
          const close = await preparedClosing(ctx, run);
          await write(async (now) => {
            await close(now);
            const reason = `It lost ${max_loss * 100} % of its capital, the limit you set.`;
            await setRunState(ctx, now, run, 'stopped', reason);
          });
          return;
        }
        const firstBar = run.firstBar ?? next.firstBar;
        const isGoing = await write(async ({ tx }) => {
          // Paused or stopped while it thought: what it has decided does not count.
          const [going] = await tx
            .update(strategyRuns)
            .set({ memory: { ...state }, firstBar, lastBar })
            .where(and(eq(strategyRuns.id, run.id), eq(strategyRuns.state, 'running')))
            .returning({ id: strategyRuns.id });
          if (!going) return false;
          await storeDecisions(ctx, tx, run.id, next.decisions);
          if (equity !== null) await keepValue(tx, run.id, lastBar + intervalMs[run.settings.timeframe], equity);
          return true;
        });
        // What it holds may be to be sold now.
        if (!isGoing) return orderDecided(owner, run);
        Object.assign(run, { memory: { ...state }, firstBar, lastBar });
        await orderDecided(owner, run);
      }
    } catch (error) {
      if (error instanceof Ended)
        return error.ending === 'halted' ? void (await pause(haltedReason)) : orderDecided(owner, run);
      if (error instanceof AppError && error.extras.details?.reason === 'usage_limit_reached') {
        return void (await pause(error.message));
      }
      if (!(error instanceof StrategyRefusal)) throw error;
      return stop(error.problem.line === null ? error.message : `Line ${error.problem.line}: ${error.message}`);
    } finally {
      clearInterval(watch);
    }
  },
});

const haltedReason = 'Trading was halted on this connection.';

class Ended extends Error {
  readonly ending: 'halted' | 'not_running';
  constructor(ending: Ended['ending']) {
    super(ending);
    this.ending = ending;
  }
}

/** Why it must not go on; null where it may. */
async function endingOf({ db }: Context, { id }: RunRow): Promise<Ended['ending'] | null> {
  const [now] = await db
    .select({ state: strategyRuns.state, connection: exchangeConnections.state })
    .from(strategyRuns)
    .leftJoin(exchangeConnections, eq(exchangeConnections.id, strategyRuns.connectionId))
    .where(eq(strategyRuns.id, id));
  if (now?.connection === 'halted') return 'halted';
  return now?.state === 'running' ? null : 'not_running';
}

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
  // It decides on the bar that has closed last. Those before it, at its start or after a pause, are its history: what it would
  // have done then must not be done now, and all at once.
  const after = Math.max(run.lastBar ?? 0, (Math.floor(now / intervalMs[interval]) - 2) * intervalMs[interval]);
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
    const news = await newsOf(ctx, state, (symbol) => stepOf(known, symbol));
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
    const task = { kind: 'advance', test, runId: run.id, state, bars, ...news } as const;
    const { decisions, state: next } = readLiveAnswer(await inWorker(ctx, task, { folder, timeMs, signal }));
    const books = await readBooks(ctx.db, run, known);
    return {
      decisions,
      state: next,
      firstBar: bars.length > 0 ? Math.min(...bars.map(({ time }) => time)) : null,
      lastBar: Math.max(after, ...bars.map(({ time }) => time)),
      equity: bars.length > 0 || run.lastBar !== null ? equityOf(books, (symbol) => closes.get(symbol)) : null,
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
