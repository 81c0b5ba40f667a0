import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { Lease } from './lease.ts';
import { outputMessage } from './store-batch.ts';

/** What began after its kernel was last heard of ended when it began. */
const laterOf = (at: Date) => sql`greatest(${executions.startedAt}, ${at.toISOString()}::timestamptz)`;

interface Options {
  /** Whoever wanted it begins again, with the time that was set aside. */
  keepsLease?: boolean;
}

/** A kernel of which nothing is left: what is stored of it is brought to an end. */
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
    // As far as it was noted; nobody knows what came after.
    if (lease) await lease.settleNoted(ctx, write, 'lost');
    const ended = await tx
      .update(executions)
      .set({ state: 'error', reason: message, endedAt: laterOf(endedAt) })
      .where(and(eq(executions.sessionId, row.id), isNull(executions.endedAt)))
      .returning();
    for (const execution of ended) if (execution.topic) write.publish(outputMessage(execution.topic, execution, []));
    await tx
      .update(kernelSessions)
      // Whoever has it after all, being back, ends it.
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
