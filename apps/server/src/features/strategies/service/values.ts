import { and, asc, desc, eq, lte } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { strategyRunValues } from '../table.ts';

const hourMs = 3_600_000;

/** The last of each hour is kept: a year of them is a few thousand rows. */
export async function keepValue(tx: Write['tx'], runId: string, time: number, equity: number): Promise<void> {
  const hour = Math.floor((time - 1) / hourMs) * hourMs;
  await tx
    .insert(strategyRunValues)
    .values({ runId, hour, time, equity })
    .onConflictDoUpdate({ target: [strategyRunValues.runId, strategyRunValues.hour], set: { time, equity } });
}

export const valuesOf = (ctx: Context, runId: string): Promise<{ time: number; equity: number }[]> =>
  ctx.db
    .select({ time: strategyRunValues.time, equity: strategyRunValues.equity })
    .from(strategyRunValues)
    .where(eq(strategyRunValues.runId, runId))
    .orderBy(asc(strategyRunValues.hour));

/** By how much it has grown since then; null where it was not running yet. */
export async function changesSince(ctx: Context, runId: string, since: number): Promise<number | null> {
  const newest = (until: number) =>
    ctx.db
      .select({ equity: strategyRunValues.equity })
      .from(strategyRunValues)
      .where(and(eq(strategyRunValues.runId, runId), lte(strategyRunValues.time, until)))
      .orderBy(desc(strategyRunValues.hour))
      .limit(1);
  const [[first], [last]] = await Promise.all([newest(since), newest(Number.MAX_SAFE_INTEGER)]);
  return first && last && first.equity > 0 ? last.equity / first.equity - 1 : null;
}
