import { type ComputeTier, type EndpointInput, usageGroups } from '@atoll/contract';
import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { kernelSessions } from '../../kernels/table.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { usageSums } from '../table.ts';

type Group = (typeof usageGroups)[number];

const monthMs = 30 * 24 * 60 * 60_000;
/** Of those who used most; a range that is given is counted for all. */
const keptRows = 10_000;

const keys = {
  person: sql<string>`${kernelSessions.userId}::text`,
  day: sql<string>`to_char(${kernelSessions.startedAt} at time zone 'UTC', 'YYYY-MM-DD')`,
  tier: sql<ComputeTier>`${kernelSessions.tier}`,
};
const sums = {
  kernels: count(),
  executions: sql<number>`coalesce(sum(${kernelSessions.executionsCount}), 0)::int`,
  used_ms: sql<number>`coalesce(sum(${kernelSessions.usedMs}), 0)::float8`,
};

async function sumsOf({ db }: Pick<Context, 'db'>, where: SQL | undefined, group: Group, limit: number, offset = 0) {
  const rows = await db
    .select({ key: keys[group], ...sums })
    .from(kernelSessions)
    .where(where)
    .groupBy(keys[group])
    .orderBy(group === 'day' ? sql`1 desc` : sql`4 desc, 1`)
    .limit(limit)
    .offset(offset);
  const [total = { kernels: 0, executions: 0, used_ms: 0 }] = await db.select(sums).from(kernelSessions).where(where);
  return { rows, total };
}
export type UsageSums = Awaited<ReturnType<typeof sumsOf>>;

/** What the usage page opens with. */
export async function countUsages(ctx: Context): Promise<void> {
  const now = ctx.now();
  const isMeant = gte(kernelSessions.startedAt, new Date(now.getTime() - monthMs));
  for (const group of usageGroups) {
    const set = { value: await sumsOf(ctx, isMeant, group, keptRows), countedAt: now };
    await ctx.write(({ tx }) =>
      tx
        .insert(usageSums)
        .values({ group, ...set })
        .onConflictDoUpdate({ target: usageSums.group, set }),
    );
  }
}

async function keptSums(ctx: Context, group: Group) {
  const [kept] = await ctx.db.select().from(usageSums).where(eq(usageSums.group, group));
  return kept;
}

export async function usages(ctx: Context, { group, from, to, page, page_size }: EndpointInput<'admin', 'usages'>) {
  const offset = (page - 1) * page_size;
  const answer = async ({ rows, total }: UsageSums, countedAt: Date) => {
    const people = await loadPeople(ctx.db, group === 'person' ? rows.map(({ key }) => key) : []);
    return {
      entries: rows.map((row) => ({ ...row, person: people.get(row.key) ?? null })),
      total,
      counted_at: countedAt.toISOString(),
    };
  };
  if (from || to) {
    const isMeant = and(
      gte(kernelSessions.startedAt, from ? new Date(from) : new Date(ctx.now().getTime() - monthMs)),
      to ? lt(kernelSessions.startedAt, new Date(to)) : undefined,
    );
    return answer(await sumsOf(ctx, isMeant, group, page_size, offset), ctx.now());
  }
  const kept = (await keptSums(ctx, group)) ?? (await countUsages(ctx).then(() => keptSums(ctx, group)));
  if (!kept) throw new Error('Nothing was counted');
  const { rows, total } = kept.value;
  return answer({ rows: rows.slice(offset, offset + page_size), total }, kept.countedAt);
}
