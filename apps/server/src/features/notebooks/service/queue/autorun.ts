import { and, eq, isNotNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { unattendedRunner } from '../../../projects/service/unattended.ts';
import { notebooks } from '../../table.ts';
import { storedSession } from '../kernel/session.ts';
import { enqueueCells } from './queue.ts';
import { notebookRunnerOf } from './runner.ts';

/**
 * Runs notebooks with automatic runs again after a file beside them has changed, in the name of the person who changed it.
 */
export async function autorun(
  ctx: Context,
  { projectId, fileIds, userId }: { projectId: string; fileIds: string[]; userId: string },
): Promise<void> {
  const wanting = await ctx.db
    .select({ fileId: notebooks.fileId, enabledById: notebooks.autorunById })
    .from(notebooks)
    .where(and(eq(notebooks.projectId, projectId), isNotNull(notebooks.autorunById), isNotNull(notebooks.sessionId)));
  const runner = wanting.length > 0 ? await unattendedRunner(ctx, userId, projectId) : null;
  if (!runner) return;
  for (const { fileId, enabledById } of wanting) {
    const address = { projectId, fileId };
    const session = fileIds.includes(fileId) ? null : await storedSession(ctx, address);
    if (!session) continue;
    // A kernel with secrets runs by itself only where its owner has enabled that.
    if (session.hasSecrets && (session.userId !== userId || enabledById !== userId)) continue;
    await enqueueCells(runner, address, { cellIds: null, wake: () => notebookRunnerOf(ctx).wake(address) });
  }
}
