import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { type RunRow, strategyRuns } from '../table.ts';

/** What colleagues run with a strategy is not published with it. */
export const isOfProjectOwner = and(
  eq(projects.id, strategyRuns.projectId),
  eq(projects.ownerId, strategyRuns.ownerId),
);

/** Of each file the run that readers of its publication see: the one that has gone on longest. */
export async function publicRuns(ctx: Context, fileIds: string[]): Promise<Map<string, RunRow>> {
  const found = new Map<string, RunRow>();
  if (fileIds.length === 0) return found;
  const rows = await ctx.db
    .select({ run: strategyRuns })
    .from(strategyRuns)
    .innerJoin(projects, isOfProjectOwner)
    .where(and(inArray(strategyRuns.fileId, fileIds), inArray(strategyRuns.state, ['running', 'paused'])))
    .orderBy(asc(strategyRuns.startedAt), asc(strategyRuns.id));
  for (const { run } of rows) if (run.fileId && !found.has(run.fileId)) found.set(run.fileId, run);
  return found;
}
