import type { Context } from '../../platform/context.ts';
import { cellLockLife, endExpiredCellLocks, renewCellLocks } from './service/locks.ts';

/** Channels of this process that hold the lock of a cell. */
const kept = new Set<string>();
/** A connection that comes back at once keeps its lock. */
const graceMs = 5_000;
const waiting = new Set<NodeJS.Timeout>();

export const keepCellLocks = (channelId: string) => void kept.add(channelId);

export async function letGoOfCells(channelId: string, isCut: boolean, release: () => Promise<unknown>): Promise<void> {
  if (!kept.delete(channelId)) return;
  if (!isCut) {
    await release();
    return;
  }
  const timer = setTimeout(() => {
    waiting.delete(timer);
    // What cannot be released now ends with its time.
    release().catch(() => {});
  }, graceMs);
  waiting.add(timer.unref());
}

export function watchCellLocks(ctx: Context): () => void {
  const timer = setInterval(async () => {
    try {
      await renewCellLocks(ctx, [...kept]);
      await endExpiredCellLocks(ctx);
    } catch (error) {
      ctx.log.error({ error }, 'Locks of cells could not be looked after');
    }
  }, cellLockLife / 4);
  return () => {
    clearInterval(timer);
    for (const each of waiting) clearTimeout(each);
  };
}
