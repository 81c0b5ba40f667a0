import type { Publication } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { unattendedRunner } from '../../projects/service/unattended.ts';
import { startRun } from '../../runs/service/start.ts';
import { runs } from '../../runs/table.ts';
import { publicationRuns } from '../table.ts';
import { type PublicationUpdate, publish } from './publish.ts';

/**
 * Stores what does not show anything new at once, and begins a run in a clean kernel: the rest is published when that has
 * succeeded.
 */
export async function publishAfterRun(ctx: Context, fileId: string, update: PublicationUpdate): Promise<Publication> {
  const { access_level, publish_version: _, run_first: __, ...settings } = update;
  const publication = await publish(ctx, fileId, settings);
  const run = await startRun(ctx, { id: publication.project.id, project_file_id: fileId });
  const later = { ...(access_level && { access_level }), publish_version: true };
  await ctx.write(({ tx }) =>
    tx
      .insert(publicationRuns)
      .values({ runId: run.id, fileId, userId: ctx.actor.userId ?? '', update: later, createdAt: ctx.now() }),
  );
  // It may have ended before it was noted.
  const [ended] = await ctx.db.select({ endedAt: runs.endedAt }).from(runs).where(eq(runs.id, run.id));
  if (ended?.endedAt) await publishEndedRun(ctx, run.id);
  return publication;
}

/** A run has ended: what waited for it is published, or says why not. */
export async function publishEndedRun(ctx: Context, runId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ waiting: publicationRuns, run: runs })
    .from(publicationRuns)
    .innerJoin(runs, eq(runs.id, publicationRuns.runId))
    .where(eq(publicationRuns.runId, runId));
  if (found?.waiting.state !== 'running') return;
  const { waiting, run } = found;
  const reason = await outcome(ctx, waiting, run);
  await ctx.write(({ tx }) =>
    tx
      .update(publicationRuns)
      .set({ state: reason === null ? 'published' : 'failed', reason })
      .where(eq(publicationRuns.runId, runId)),
  );
}

/** Null when it was published. */
async function outcome(
  ctx: Context,
  waiting: typeof publicationRuns.$inferSelect,
  run: typeof runs.$inferSelect,
): Promise<string | null> {
  if (run.status !== 'ok' || !run.resultBlob) return run.errorReason ?? 'The run did not succeed.';
  const theirs = await unattendedRunner(ctx, waiting.userId, run.projectId);
  if (!theirs) return 'The person who started this may no longer run code in this project.';
  try {
    const source = { blob: run.resultBlob, fileVersionId: run.versionId };
    await publish(theirs, waiting.fileId, waiting.update as PublicationUpdate, source);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
