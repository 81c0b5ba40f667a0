import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { Lease } from './lease.ts';
import { outputMessage } from './store-batch.ts';

/** An execution that began after its kernel's last heartbeat ended when it began. */
const laterOf = (at: Date) => sql`greatest(${executions.startedAt}, ${at.toISOString()}::timestamptz)`;

interface Options {
  /** The owner of the kernel begins again, with the reserved time. */
  keepsLease?: boolean;
}

/** Ends the stored rows of a kernel that no longer exists. */
export async function endLost(
  ctx: Context,
  row: KernelSessionRow,
  message: string,
  { keepsLease = false }: Options = {},
): Promise<void> {
  const endedAt = row.heartbeatAt;
  const lease = keepsLease ? null : await Lease.of(ctx, row);
  await ctx.write(async (write) => {
    const { tx } = write;
    // Settle the noted time; the time after the last heartbeat is not known.
    if (lease) await lease.settleNoted(ctx, write, 'lost');
    const ended = await tx
      .update(executions)
      .set({ state: 'error', reason: message, endedAt: laterOf(endedAt) })
      .where(and(eq(executions.sessionId, row.id), isNull(executions.endedAt)))
      .returning();
    for (const execution of ended) if (execution.topic) write.publish(outputMessage(execution.topic, execution, []));
    await tx
      .update(kernelSessions)
      // A server that still has the kernel and comes back ends it because of the stop reason.
      .set({
        state: 'ended',
        endReason: 'lost',
        endMessage: message,
        stopReason: 'lost',
        stopMessage: message,
        endedAt,
      })
      .where(and(eq(kernelSessions.id, row.id), isNull(kernelSessions.endedAt)));
  });
}
