import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { heartbeat } from '../../quota/service/heartbeats.ts';
import { reserve, settle } from '../../quota/service/reservations.ts';

const beatMs = 10_000;

/**
 * Runs a strategy's code on somebody's execution time, as a cell does: set aside before, used as long as it takes, the rest
 * given back. `work` gets how long it may take. Refused, with what to do, where there is none left.
 */
export async function metered<Result>(
  ctx: Context,
  userId: string,
  wantedMs: number,
  work: (timeMs: number) => Promise<Result>,
): Promise<Result> {
  const id = newId();
  const { grantedMs } = await ctx.write((write) => reserve(ctx, write, { id, userId, wantedMs }));
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
    await ctx.write((write) => settle(ctx, write, id, usedMs(), 'ended'));
  }
}
