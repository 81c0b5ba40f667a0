import { Readable } from 'node:stream';
import { topics } from '@atoll/contract';
import { expectedHighest } from '@atoll/trading/backtest/tries/overfitting';
import type { SweepPoint } from '@atoll/trading/backtest/tries/sweep';
import { and, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { strategyTests, type TestRow } from '../table.ts';
import { viewOutcome, viewPoint, viewTest } from '../view.ts';
import { metered } from './metered.ts';
import { eventOf, inFolder, taskOf } from './process/test-task.ts';
import { inWorker, StrategyRefusal } from './process/worker-process.ts';
import type { StoredResult } from './test-result.ts';

const timeMs = 300_000;
const largestResult = 100 * 1024 ** 2;
/** How much of the progress is reading the bars; the web app counts combinations from there. */
const computedFrom = 0.3;
/** Told this often at most. */
const progressMs = 500;

const nothing: StoredResult = { problem: null, result: null, points: null, folds: null, warning: null };

/** Computes one test. When its server is killed, another one starts it again. */
export const testJob = defineJob({
  kind: 'strategies.test',
  payload: z.object({ test_id: z.string() }),
  concurrency: 2,
  perOwner: 2,
  attempts: 3,
  timeoutMs: timeMs + 60_000,
  async run({ ctx, payload, signal, write, finish }) {
    const row = await write(async ({ tx, emit }) => {
      const [begun] = await tx
        .update(strategyTests)
        .set({ state: 'running' })
        .where(and(eq(strategyTests.id, payload.test_id), inArray(strategyTests.state, ['queued', 'running'])))
        .returning();
      if (begun) await emit('strategy.test_changed', eventOf(begun));
      return begun;
    });
    if (!row) return;
    let end: Partial<TestRow>;
    try {
      const { starterId } = row;
      const { stored, ...fields } = starterId
        ? await metered(ctx, starterId, { strategy: row, wantedMs: timeMs, minimumMs: 5_000 }, (grantedMs) =>
            compute(ctx, row, grantedMs, signal),
          )
        : await compute(ctx, row, timeMs, signal);
      const blob = await ctx.blobs.put(Readable.from([Buffer.from(JSON.stringify(stored))]), largestResult);
      end = { ...fields, resultBlob: blob.sha256 };
    } catch (error) {
      if (!(error instanceof StrategyRefusal) && !(error instanceof AppError)) throw error;
      const problem =
        error instanceof StrategyRefusal
          ? error.problem
          : { code: 'job', message: error.message, at: null, line: null };
      const blob = await ctx.blobs.put(
        Readable.from([Buffer.from(JSON.stringify({ ...nothing, problem } satisfies StoredResult))]),
        largestResult,
      );
      end = { state: 'failed', reason: problem.message, resultBlob: blob.sha256 };
    }
    await finish(async ({ tx, emit }) => {
      const [ended] = await tx
        .update(strategyTests)
        .set({ ...end, endedAt: ctx.now() })
        .where(and(eq(strategyTests.id, row.id), eq(strategyTests.state, 'running')))
        .returning();
      if (ended) await emit('strategy.test_changed', eventOf(ended));
    });
  },
});

type Computed = { stored: StoredResult } & Partial<TestRow>;

async function compute(ctx: Context, row: TestRow, grantedMs: number, signal: AbortSignal): Promise<Computed> {
  let reportedAt = performance.now();
  const report = (progress: number) => {
    if (performance.now() - reportedAt < progressMs) return;
    reportedAt = performance.now();
    const test = viewTest(row, new Map(), progress);
    void ctx
      .write(async ({ publish }) =>
        publish(message(topics.strategy, { strategyId: row.fileId }, 'test_changed', { test })),
      )
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'progress of a backtest'));
  };
  return inFolder(async (folder) => {
    const test = await taskOf(ctx, row, folder, (share) => report(share * computedFrom));
    const options = {
      folder,
      timeMs: grantedMs,
      signal,
      onProgress: (share: number) => report(computedFrom + share * (1 - computedFrom)),
    };
    const { plan } = row;
    if (row.kind === 'sweep' && plan) {
      // Two at a time, as many as the smallest server has cores.
      const shares = [0, 0];
      const answers = await Promise.all(
        [0, 1].map((index) => {
          const onProgress = (share: number) => {
            shares[index] = share;
            report(computedFrom + (shares.reduce((sum, each) => sum + each, 0) / shares.length) * (1 - computedFrom));
          };
          return inWorker(ctx, { kind: 'sweep', test, plan, part: { index, of: 2 } }, { ...options, onProgress });
        }),
      );
      const points = answers.flatMap((each) => each.points);
      return {
        state: 'done',
        tries: test.tries,
        stored: { ...nothing, points: points.map(viewPoint), warning: luckOf(points) },
      };
    }
    if (row.kind === 'walk_forward' && plan) {
      const { folds, warning } = await inWorker(ctx, { kind: 'walk_forward', test, plan }, options);
      return { state: 'done', tries: test.tries, stored: { ...nothing, folds, warning } };
    }
    const { outcome, monteCarlo } = await inWorker(ctx, { kind: 'backtest', test }, options);
    const result = viewOutcome(outcome, monteCarlo);
    return {
      state: outcome.state === 'finished' ? 'done' : 'failed',
      reason: outcome.problem?.message ?? null,
      tries: test.tries,
      summary: result.summary,
      lookAhead: result.checks.look_ahead.state,
      fingerprint: outcome.fingerprint?.result ?? null,
      stored: { ...nothing, problem: outcome.problem, result },
    };
  });
}

/** How good the best would look if none of them were worth anything. */
function luckOf(points: SweepPoint[]): string | null {
  const ratios = points.flatMap(({ sharpe }) => sharpe ?? []);
  if (ratios.length < 3) return null;
  const mean = ratios.reduce((sum, each) => sum + each, 0) / ratios.length;
  const spread = Math.sqrt(ratios.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (ratios.length - 1));
  const best = Math.max(...ratios);
  const luck = spread * expectedHighest(ratios.length);
  return `The best of ${ratios.length} has a Sharpe of ${best.toFixed(2)}. By chance alone the best would show about ${luck.toFixed(2)}: choose a wide good area, and test it on bars that were not looked at.`;
}
