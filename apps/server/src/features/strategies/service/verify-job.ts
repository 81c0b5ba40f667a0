import { topics } from '@atoll/contract';
import type { Check } from '@atoll/trading/backtest/job';
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { strategyTests, type TestRow } from '../table.ts';
import { viewTest } from '../view.ts';
import { readText } from './document.ts';
import { metered } from './metered.ts';
import { eventOf, inFolder, taskOf } from './process/test-task.ts';
import { inWorker, StrategyRefusal } from './process/worker-process.ts';
import type { StoredResult } from './test-result.ts';

/** Each bar is an answer that is waited for. */
const timeMs = 600_000;
const progressMs = 1_000;
const parts = ['data', 'code', 'engine', 'parameters', 'seed', 'result'] as const;
const going = inArray(strategyTests.verification, ['queued', 'running']);

type Verified = Pick<Check, 'state' | 'message'>;

/** Verifies one backtest. When its server is killed, another one starts it again. */
export const verifyJob = defineJob({
  kind: 'strategies.verify',
  payload: z.object({ test_id: z.string() }),
  concurrency: 1,
  attempts: 3,
  timeoutMs: timeMs + 60_000,
  async run({ ctx, payload, signal, write, finish }) {
    const row = await write(async ({ tx, emit }) => {
      const [begun] = await tx
        .update(strategyTests)
        .set({ verification: 'running' })
        .where(and(eq(strategyTests.id, payload.test_id), going))
        .returning();
      if (begun) await emit('strategy.test_changed', eventOf(begun));
      return begun;
    });
    if (!row) return;
    const end = await verified(ctx, row, signal).catch((error: unknown): Verified => {
      if (!(error instanceof StrategyRefusal) && !(error instanceof AppError)) throw error;
      return { state: 'skipped', message: `Not tested: ${error.message}` };
    });
    await finish(async ({ tx, emit }) => {
      const [ended] = await tx
        .update(strategyTests)
        .set({ verification: end.state, verificationMessage: end.message })
        .where(and(eq(strategyTests.id, row.id), going))
        .returning();
      if (ended) await emit('strategy.test_changed', eventOf(ended));
    });
  },
});

/** Where it is in one of these states; undefined where it is not, or not there any more. */
export async function startVerification(
  { tx, emit, enqueue }: Write,
  testId: string,
  from: readonly TestRow['verification'][],
): Promise<TestRow | undefined> {
  const states = from.filter((state) => state !== null);
  const [row] = await tx
    .update(strategyTests)
    .set({ verification: 'queued', verificationMessage: null })
    .where(
      and(
        eq(strategyTests.id, testId),
        or(
          from.includes(null) ? isNull(strategyTests.verification) : undefined,
          inArray(strategyTests.verification, states),
        ),
      ),
    )
    .returning();
  if (!row) return undefined;
  const owner = row.starterId ? { ownerId: row.starterId } : {};
  await enqueue(verifyJob, { test_id: testId }, { key: testId, ...owner });
  await emit('strategy.test_changed', eventOf(row));
  return row;
}

async function verified(ctx: Context, row: TestRow, signal: AbortSignal): Promise<Verified> {
  const stored = row.resultBlob ? (JSON.parse(await readText(ctx, row.resultBlob)) as StoredResult) : null;
  const before = stored?.result?.fingerprint;
  if (!before) return { state: 'skipped', message: 'Not tested: it has no fingerprint' };
  const { starterId } = row;
  const { check, fingerprint } = starterId
    ? await metered(ctx, starterId, { strategy: row, wantedMs: timeMs, minimumMs: 5_000 }, (grantedMs) =>
        compute(ctx, row, grantedMs, signal),
      )
    : await compute(ctx, row, timeMs, signal);
  const differences = fingerprint ? parts.filter((part) => fingerprint[part] !== before[part]) : [];
  if (differences.length === 0) return check;
  // Its data, the engine or a library is another one now, so nothing is known of the result that was stored.
  return {
    state: 'skipped',
    message: `Not tested: computed again it differs in ${differences.join(', ')}. Test it again.`,
  };
}

function compute(ctx: Context, row: TestRow, grantedMs: number, signal: AbortSignal) {
  let reportedAt = performance.now();
  const onProgress = (progress: number) => {
    if (performance.now() - reportedAt < progressMs) return;
    reportedAt = performance.now();
    const test = viewTest(row, new Map(), null, progress);
    void ctx
      .write(async ({ publish }) =>
        publish(message(topics.strategy, { strategyId: row.fileId }, 'test_changed', { test })),
      )
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'progress of a verification'));
  };
  return inFolder(async (folder) => {
    const test = await taskOf(ctx, row, folder);
    return inWorker(ctx, { kind: 'verify', test }, { folder, timeMs: grantedMs, signal, onProgress });
  });
}
