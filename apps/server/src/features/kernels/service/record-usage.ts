import { and, eq, gte, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { files } from '../../files/table.ts';
import { projects } from '../../projects/table.ts';
import { kernelSessions } from '../table.ts';

interface OtherUsage {
  userId: string;
  projectId: string;
  fileId: string | null;
  /** `provider.spec`, as kernels have it. */
  kernel: string;
  usedMs: number;
  extensionMs: number;
  startedAt: Date;
  /** Steps of the same work within a day (UTC) become one entry. */
  isStep: boolean;
}

/** Books execution time without a kernel in the same table, so that the list of usage adds up to the meter. */
export async function recordUsage(ctx: Context, { tx }: Write, usage: OtherUsage): Promise<void> {
  const { isStep, usedMs, extensionMs, ...fields } = usage;
  const now = ctx.now();
  const purpose = isStep ? ('strategy_run' as const) : ('strategy_test' as const);
  const whole = { usedMs: Math.round(usedMs), extensionMs: Math.round(extensionMs) };
  if (isStep) {
    const today = new Date(now);
    today.setUTCHours(0, 0, 0, 0);
    const added = await tx
      .update(kernelSessions)
      .set({
        usedMs: sql`${kernelSessions.usedMs} + ${whole.usedMs}::bigint`,
        extensionMs: sql`${kernelSessions.extensionMs} + ${whole.extensionMs}::bigint`,
        executionsCount: sql`${kernelSessions.executionsCount} + 1`,
        activeAt: now,
        heartbeatAt: now,
        endedAt: now,
      })
      .where(
        and(
          eq(kernelSessions.userId, fields.userId),
          eq(kernelSessions.projectId, fields.projectId),
          eq(kernelSessions.purpose, purpose),
          gte(kernelSessions.startedAt, today),
        ),
      )
      .returning({ id: kernelSessions.id });
    if (added.length > 0) return;
  }
  const serverId = await ctx.kernels.serverId();
  await tx.insert(kernelSessions).values({
    ...fields,
    ...whole,
    // The project and file may be deleted by now; their usage is booked all the same.
    projectId: sql`(select id from ${projects} where id = ${fields.projectId})`,
    fileId: sql`(select id from ${files} where id = ${fields.fileId})`,
    ...{ purpose, tier: 'l1', savesFiles: false, state: 'ended', serverId, hostId: serverId, executionsCount: 1 },
    ...{ activeAt: now, heartbeatAt: now, endedAt: now, endReason: 'ended' },
  });
}
