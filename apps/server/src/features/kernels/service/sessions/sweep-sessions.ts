import { and, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { kernelSessions } from '../../table.ts';
import { endLost } from '../end-lost.ts';
import { kernelSessionsOf } from '../kernel-sessions.ts';

/** A server without a heartbeat for so long counts as dead; any server may then end its sessions. */
const goneMs = 2 * 60_000;

/** Ends sessions of servers that never came back. */
export async function sweepSessions(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - goneMs);
  const gone = await ctx.db
    .select()
    .from(kernelSessions)
    .where(and(isNull(kernelSessions.endedAt), lt(kernelSessions.heartbeatAt, before), isNotNull(kernelSessions.id)));
  for (const row of gone) {
    if (!kernelSessionsOf(ctx).find(row.id)) await endLost(ctx, row, 'The server it ran on has stopped. Run it again.');
  }
}
