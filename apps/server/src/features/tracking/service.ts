import { lt } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { trackedEvents } from './table.ts';

interface TrackedEvent {
  name: string;
  properties: Record<string, unknown>;
  at: string;
}

const keptMs = 400 * 24 * 60 * 60_000;

export async function storeEvents(ctx: Context, events: TrackedEvent[]): Promise<number> {
  const { userId } = ctx.actor;
  const createdAt = ctx.now();
  await ctx.write(({ tx }) =>
    tx
      .insert(trackedEvents)
      .values(events.map(({ at, ...event }) => ({ ...event, userId, happenedAt: new Date(at), createdAt }))),
  );
  return events.length;
}

export async function sweepTracking(ctx: Context): Promise<void> {
  await ctx.db.delete(trackedEvents).where(lt(trackedEvents.createdAt, new Date(ctx.now().getTime() - keptMs)));
}
