import type { Publication } from '@atoll/contract';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
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
  const later = { ...(access_level && { access_level }), publish_version: true };
  const waiting = { fileId, userId: ctx.userId, update: later, createdAt: ctx.now() };
  // Noted together with the run: a server that is killed in between leaves no run for which nothing waits.
  await startRun(
    ctx,
    { id: publication.project.id, project_file_id: fileId },
    { alongside: ({ tx }, { id }) => tx.insert(publicationRuns).values({ runId: id, ...waiting }) },
  );
  return publication;
}

/** A run has ended: what waited for it is published, or says why not. */
export async function publishEndedRun(ctx: Context, runId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ waiting: publicationRuns, run: runs })
    .from(publicationRuns)
    .innerJoin(runs, eq(runs.id, publicationRuns.runId))
    .where(eq(publicationRuns.runId, runId));
  if (found?.waiting.state !== 'running' || !found.run.endedAt) return;
  const { waiting, run } = found;
  const reason = await outcome(ctx, waiting, run);
  if (reason !== null) await ctx.write((write) => settle(write, run, { state: 'failed', reason }));
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
    await publish(theirs, waiting.fileId, waiting.update as PublicationUpdate, {
      source: { blob: run.resultBlob, fileVersionId: run.versionId },
      async settle(write) {
        // In one transaction with the version, which is published once however often this is tried.
        if (!(await settle(write, run, { state: 'published', reason: null })))
          throw new AppError('conflict', 'The result of this run is published already.');
      },
    });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Whether it was still waiting. */
async function settle(
  { tx, emit }: Write,
  { id, projectId }: typeof runs.$inferSelect,
  end: { state: 'published' | 'failed'; reason: string | null },
): Promise<boolean> {
  const settled = await tx
    .update(publicationRuns)
    .set(end)
    .where(and(eq(publicationRuns.runId, id), eq(publicationRuns.state, 'running')))
    .returning();
  if (settled.length === 0) return false;
  await emit('publication.run_ended', { run_id: id, project_id: projectId, state: end.state });
  return true;
}

/** Runs that have ended and whose end has reached nobody, as when the server was killed too often while it published. */
export async function sweepEndedRuns(ctx: Context): Promise<void> {
  const forgotten = await ctx.db
    .select({ id: runs.id })
    .from(publicationRuns)
    .innerJoin(runs, eq(runs.id, publicationRuns.runId))
    .where(and(eq(publicationRuns.state, 'running'), isNotNull(runs.endedAt)));
  for (const { id } of forgotten) await publishEndedRun(ctx, id);
}
