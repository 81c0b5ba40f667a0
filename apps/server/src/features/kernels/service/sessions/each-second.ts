import { inArray } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { heartbeat } from '../../../quota/service/heartbeats.ts';
import { kernelSessions } from '../../table.ts';
import type { LiveSession, StopReason } from '../live-session.ts';

/** Interactive kernels end after this time without an execution. */
const idleMs = 30 * 60_000;
const releaseMs = 60_000;
const writtenMs = 5_000;

const idleFor = (ctx: Context, { row }: LiveSession): number => ctx.now().getTime() - row.activeAt.getTime();

/** Renews the heartbeat, and ends kernels with a stop request from this or another server. */
export async function endWanted(ctx: Context, sessions: LiveSession[]): Promise<void> {
  const byId = new Map(sessions.map((live) => [live.row.id, live]));
  const wanted = await ctx.db
    .update(kernelSessions)
    .set({ heartbeatAt: ctx.now() })
    .where(inArray(kernelSessions.id, [...byId.keys()]))
    .returning({ id: kernelSessions.id, reason: kernelSessions.stopReason, message: kernelSessions.stopMessage });
  for (const { id, reason, message } of wanted) {
    if (reason) void byId.get(id)?.stop({ reason: reason as StopReason['reason'], message: message ?? '' });
  }
}

/** Releases unused resources: reserved time after a minute, a notebook's kernel after half an hour. */
export async function endIdle(ctx: Context, sessions: LiveSession[]): Promise<void> {
  for (const live of sessions) {
    if (live.isBusy || live.row.state === 'starting') continue;
    if (live.row.purpose === 'notebook' && idleFor(ctx, live) > idleMs) {
      void live.stop({ reason: 'idle', message: 'Stopped after 30 minutes without use.' });
    } else if (idleFor(ctx, live) > releaseMs) await live.releaseLease();
  }
}

/** Notes the used time, so that a crash loses no more than a second of it, and reserves more where little is left. */
export async function meter(ctx: Context, sessions: LiveSession[]): Promise<void> {
  const busy = sessions.filter(({ isBusy, time }) => isBusy && time.lease);
  const beats = busy.flatMap(({ time: { lease, usedMs } }) =>
    lease ? { id: lease.id, usedMs: usedMs - lease.baseMs } : [],
  );
  const { ended } = await heartbeat(ctx, beats);
  for (const live of busy) {
    const { lease } = live.time;
    if (lease && ended.includes(lease.id)) {
      void live.stop({ reason: 'quota', message: 'The execution time limit was reached.' });
    } else await live.renewLease();
  }
}

/** Files written in the last moment of a cell are saved after it. */
export const mayHaveWritten = (ctx: Context, live: LiveSession): boolean =>
  live.isBusy || idleFor(ctx, live) < writtenMs;
