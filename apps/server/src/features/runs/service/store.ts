import { type Run, topics } from '@atoll/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { settle } from '../../quota/service/reservations.ts';
import { type RunRow, runs } from '../table.ts';
import { statusOf } from '../view.ts';
import { runViews } from './read.ts';

/** Tells how a run stands, in the transaction in which it changed. */
export async function publishRun(write: Write, row: RunRow): Promise<Run> {
  const [run] = await runViews(write.tx, [row]);
  if (!run) throw new Error('The run is gone');
  write.publish(message(topics.run, { projectId: row.projectId, runId: row.id }, 'run_changed', { run }));
  return run;
}

/** For the list of runs: one has begun or ended. */
export function publishStatus(write: Write, { id, projectId, status }: Run & { projectId: string }): void {
  write.publish(message(topics.projectFiles, { projectId }, 'run_changed', { run_id: id, status }));
}

export const stoppedByHand = 'Stopped.';

interface End {
  status: 'ok' | 'error' | 'aborted';
  reason: string | null;
  notices: string[];
  resultBlob: string | null;
  /** No kernel has begun to use the time set aside for it. */
  isUnused: boolean;
}

export async function endRun(ctx: Context, runId: string, end: End): Promise<void> {
  await ctx.write(async (write) => {
    const [row] = await write.tx
      .update(runs)
      .set({
        status: end.status,
        errorReason: end.reason,
        notices: sql`${runs.notices} || ${JSON.stringify(end.notices)}::jsonb`,
        resultBlob: end.resultBlob,
        endedAt: ctx.now(),
      })
      .where(and(eq(runs.id, runId), isNull(runs.endedAt)))
      .returning();
    if (!row) return;
    if (end.isUnused) await settle(ctx, write, row.leaseId, 0, 'unused');
    const status = statusOf(row);
    if (status !== 'running') {
      await write.emit('run.ended', { run_id: row.id, project_id: row.projectId, status });
    }
    publishStatus(write, { ...(await publishRun(write, row)), projectId: row.projectId });
  });
}

/** How far it is. */
export async function progressRun(ctx: Context, runId: string, fields: Partial<RunRow>): Promise<RunRow | null> {
  return ctx.write(async (write) => {
    const [row] = await write.tx.update(runs).set(fields).where(eq(runs.id, runId)).returning();
    if (row) await publishRun(write, row);
    return row ?? null;
  });
}
