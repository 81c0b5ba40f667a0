import { sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { projectDays } from '../table.ts';

/** One more of it on this day, in the transaction of what is counted: each exactly once. */
export async function countOnDay(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  what: 'views' | 'clones' | 'runs' | 'shares',
): Promise<void> {
  const day = ctx.now().toISOString().slice(0, 10);
  await tx
    .insert(projectDays)
    .values({ projectId, day, [what]: 1 })
    .onConflictDoUpdate({
      target: [projectDays.projectId, projectDays.day],
      set: { [what]: sql`${projectDays[what]} + 1` },
    });
}
