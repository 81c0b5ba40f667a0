import { eq, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { publications } from '../table.ts';

/** Follows what became of the project. Reading asks the project itself; this is for lists only. */
export const markBinned = (ctx: Context, projectId: string): Promise<void> =>
  ctx.write(async ({ tx }) => {
    await tx
      .update(publications)
      .set({
        isBinned: sql`coalesce((select ${projects.deletedAt} is not null from ${projects} where ${projects.id} = ${projectId}), true)`,
      })
      .where(eq(publications.projectId, projectId));
  });
