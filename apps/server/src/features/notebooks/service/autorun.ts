import { and, eq, isNotNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notebooks } from '../table.ts';
import { actingFor } from './cell-runs.ts';
import { enqueueCells } from './queue.ts';
import { notebookRunnerOf } from './runner.ts';
import { storedSession } from './session.ts';

/** Notebooks that want it are run again after a file beside them has changed, in the name of who has their kernel. */
export async function autorun(ctx: Context, projectId: string, fileIds: string[]): Promise<void> {
  const wanting = await ctx.db
    .select({ fileId: notebooks.fileId })
    .from(notebooks)
    .where(and(eq(notebooks.projectId, projectId), eq(notebooks.isAutorun, true), isNotNull(notebooks.sessionId)));
  for (const { fileId } of wanting) {
    const address = { projectId, fileId };
    const session = fileIds.includes(fileId) ? null : await storedSession(ctx, address);
    if (!session) continue;
    const wake = () => notebookRunnerOf(ctx).wake(address);
    await enqueueCells(actingFor(ctx, session.userId), address, { cellIds: null, wake });
  }
}
