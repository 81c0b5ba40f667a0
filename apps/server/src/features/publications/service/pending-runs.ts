import type { PublicationRun } from '@atoll/contract';
import { desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { publicationRuns } from '../table.ts';

/** The newest run of a file that publishing waits for, or that stopped it. */
export async function newestRun(ctx: Context, fileId: string): Promise<PublicationRun | null> {
  const [row] = await ctx.db
    .select()
    .from(publicationRuns)
    .where(eq(publicationRuns.fileId, fileId))
    .orderBy(desc(publicationRuns.createdAt))
    .limit(1);
  if (!row) return null;
  return { run_id: row.runId, state: row.state, reason: row.reason, started_at: row.createdAt.toISOString() };
}
