import type { Paging } from '@atoll/contract';
import { count, desc, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { kernelSessions } from '../../kernels/table.ts';
import { notebookJobs } from '../../notebooks/table.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projects } from '../../projects/table.ts';

export async function runningKernels(ctx: Context, { page, page_size }: Paging) {
  const isRunning = isNull(kernelSessions.endedAt);
  const rows = await ctx.db
    .select({ session: kernelSessions, projectName: projects.name })
    .from(kernelSessions)
    .leftJoin(projects, eq(projects.id, kernelSessions.projectId))
    .where(isRunning)
    .orderBy(desc(kernelSessions.startedAt))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const groups = await ctx.db
    .select({ tier: kernelSessions.tier, server: kernelSessions.serverId, state: kernelSessions.state, total: count() })
    .from(kernelSessions)
    .where(isRunning)
    .groupBy(kernelSessions.tier, kernelSessions.serverId, kernelSessions.state);
  const queued = await ctx.db.$count(notebookJobs, eq(notebookJobs.state, 'waiting'));
  const sum = (isMeant: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(isMeant).reduce((total, group) => total + group.total, 0);
  const by = (key: 'tier' | 'server') =>
    Object.fromEntries(
      [...new Set(groups.map((group) => group[key]))].map((name) => [name, sum((group) => group[key] === name)]),
    );
  const people = await loadPeopleOf(ctx.db, rows, ({ session }) => session.userId);
  return {
    entries: rows.map(({ session, projectName }) => ({
      id: session.id,
      person: people.get(session.userId) ?? null,
      project: session.projectId && projectName !== null ? { id: session.projectId, name: projectName } : null,
      kernel: session.kernel,
      tier: session.tier,
      purpose: session.purpose,
      state: session.state,
      server_id: session.serverId,
      used_ms: session.usedMs,
      executions: session.executionsCount,
      started_at: session.startedAt.toISOString(),
      active_at: session.activeAt.toISOString(),
    })),
    page,
    page_size,
    total: sum(() => true),
    busy: sum(({ state }) => state === 'busy'),
    starting: sum(({ state }) => state === 'starting'),
    queued_cells: queued,
    by_tier: by('tier'),
    by_server: by('server'),
  };
}
