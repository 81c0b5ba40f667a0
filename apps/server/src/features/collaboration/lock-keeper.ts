import type { Context } from '../../platform/context.ts';
import { endExpiredLocks, lockLife, renewLocks } from './service.ts';

/** Channels of this process that hold a lock. */
const kept = new Set<string>();
/** A connection that comes back at once keeps its lock. */
const graceMs = 5_000;
const waiting = new Map<string, NodeJS.Timeout>();

export const keepLock = (channelId: string) => void kept.add(channelId);

export async function letGoLater(channelId: string, isCut: boolean, release: () => Promise<unknown>): Promise<void> {
  if (!kept.delete(channelId)) return;
  if (!isCut) {
    await release();
    return;
  }
  const timer = setTimeout(() => {
    waiting.delete(channelId);
    // What cannot be released now ends with its time.
    release().catch(() => {});
  }, graceMs);
  waiting.set(channelId, timer.unref());
}

export function keepLocks(ctx: Context): () => void {
  const timer = setInterval(async () => {
    await renewLocks(ctx, [...kept]).catch((error: unknown) => ctx.log.error({ error }, 'Locks could not be renewed'));
    await endExpiredLocks(ctx).catch((error: unknown) => ctx.log.error({ error }, 'Old locks could not be ended'));
  }, lockLife / 4);
  return () => {
    clearInterval(timer);
    for (const timer of waiting.values()) clearTimeout(timer);
  };
}
