import type { UsageSummary } from '@atoll/contract';
import { computeTiers } from '@atoll/contract';
import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { extensionCost } from '../../quota/service/extension-cost.ts';
import { kernelSessions } from '../table.ts';

const day = 24 * 60 * 60_000;
const mostProjects = 10;

interface Used {
  ms: number;
  extensionMs: number;
  count: number;
}

/** Usage by the day a server was started, in UTC like the months of the plan. */
export async function usageSummary(ctx: Context, days: number): Promise<UsageSummary> {
  const userId = ctx.actor.userId ?? nobody;
  const today = Math.floor(ctx.now().getTime() / day) * day;
  const first = new Date(today - (days - 1) * day);
  const mine = and(eq(kernelSessions.userId, userId), gte(kernelSessions.startedAt, first));
  const costOf = await extensionCost(ctx.db, userId);
  const sums = {
    ms: sql<number>`sum(${kernelSessions.usedMs})::float8`,
    extensionMs: sql<number>`sum(${kernelSessions.extensionMs})::float8`,
    count: sql<number>`count(*)::int`,
  };
  const by = <Key>(key: SQL<Key>) =>
    ctx.db
      .select({ key, ...sums })
      .from(kernelSessions)
      .where(mine)
      .groupBy(key);
  const [dayRows, tierRows, projectRows] = await Promise.all([
    by(sql<string>`to_char(${kernelSessions.startedAt} at time zone 'UTC', 'YYYY-MM-DD')`),
    by(sql<string>`${kernelSessions.tier}`),
    ctx.db
      .select({ project: { id: projects.id, name: projects.name }, ...sums })
      .from(kernelSessions)
      .leftJoin(projects, eq(projects.id, kernelSessions.projectId))
      .where(mine)
      .groupBy(projects.id, projects.name)
      .orderBy(desc(sums.ms))
      .limit(mostProjects),
  ]);
  const used = ({ ms, extensionMs, count }: Used) => ({
    seconds: Math.round(ms / 100) / 10,
    cost: costOf(extensionMs),
    count,
  });
  const none: Used = { ms: 0, extensionMs: 0, count: 0 };
  const total = tierRows.reduce<Used>(
    (sum, row) => ({
      ms: sum.ms + row.ms,
      extensionMs: sum.extensionMs + row.extensionMs,
      count: sum.count + row.count,
    }),
    none,
  );
  return {
    total: used(total),
    days: Array.from({ length: days }, (_, index) => {
      const date = new Date(first.getTime() + index * day).toISOString().slice(0, 10);
      return { date, ...used(dayRows.find(({ key }) => key === date) ?? none) };
    }),
    tiers: computeTiers.flatMap((tier) => {
      const row = tierRows.find(({ key }) => key === tier);
      return row ? [{ tier, ...used(row) }] : [];
    }),
    projects: projectRows.map(({ project, ...row }) => ({ project, ...used(row) })),
  };
}
