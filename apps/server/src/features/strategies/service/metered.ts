import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError } from '../../../platform/errors.ts';
import { recordUsage } from '../../kernels/service/record-usage.ts';
import { heartbeat } from '../../quota/service/heartbeats.ts';
import { reserve, settle } from '../../quota/service/reservations.ts';
import { languageOf } from './document.ts';

const beatMs = 10_000;

/** The strategy whose code runs, for the list of what ran. */
interface MeteredStrategy {
  projectId: string;
  fileId: string | null;
  codePath: string;
}

interface Wanted {
  strategy: MeteredStrategy;
  wantedMs: number;
  /** Less than this is as good as nothing. */
  minimumMs: number;
  /** One of many steps of a run. */
  isStep?: boolean;
}

/**
 * Runs a strategy's code on somebody's execution time, as a cell does: set aside before, used as long as it takes, the rest
 * given back. `work` gets how long it may take. Refused, with what to do, where there is none left.
 */
export async function metered<Result>(
  ctx: Context,
  userId: string,
  wanted: Wanted,
  work: (timeMs: number) => Promise<Result>,
): Promise<Result> {
  const id = newId();
  const startedAt = ctx.now();
  const { strategy, wantedMs, minimumMs, isStep = false } = wanted;
  const { grantedMs } = await ctx.write((write) => reserve(ctx, write, { id, userId, wantedMs, minimumMs }));
  const begun = performance.now();
  const usedMs = () => performance.now() - begun;
  const beat = setInterval(
    () =>
      void heartbeat(ctx, [{ id, usedMs: usedMs() }]).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'execution time of a strategy'),
      ),
    beatMs,
  );
  try {
    return await work(grantedMs);
  } finally {
    clearInterval(beat);
    await ctx.write(async (write) => {
      const booked = await settle(ctx, write, id, usedMs(), 'ended');
      if (!booked) return;
      const { projectId, fileId, codePath } = strategy;
      const kernel = `strategy.${languageOf(codePath)}`;
      await recordUsage(ctx, write, { ...booked, userId, projectId, fileId, kernel, startedAt, isStep });
    });
  }
}

const mostAtOnce = 2;
const computing = appState(() => new Map<string, number>());

/** The same for what somebody waits for: a process takes a core and up to a gigabyte, so they have a few at a time. */
export async function meteredRequest<Result>(
  ctx: Context,
  strategy: MeteredStrategy,
  wantedMs: number,
  work: (timeMs: number) => Promise<Result>,
): Promise<Result> {
  const { userId } = ctx;
  const counts = computing(ctx);
  const before = counts.get(userId) ?? 0;
  if (before >= mostAtOnce)
    throw new AppError('too_many_requests', 'Others of yours are still being computed. Try again in a moment.');
  counts.set(userId, before + 1);
  try {
    return await metered(ctx, userId, { strategy, wantedMs, minimumMs: Math.min(wantedMs, 5_000) }, work);
  } finally {
    const after = (counts.get(userId) ?? 1) - 1;
    if (after > 0) counts.set(userId, after);
    else counts.delete(userId);
  }
}
