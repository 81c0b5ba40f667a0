import type { Paging, ServerUsage } from '@atoll/contract';
import { and, count, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { files } from '../../files/table.ts';
import { projects } from '../../projects/table.ts';
import { extensionCost } from '../../quota/service/extension-cost.ts';
import { executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { executionUsageView, serverView } from '../view.ts';
import { kernelSessionsOf } from './kernel-sessions.ts';
import type { StopReason } from './live-session.ts';

const related = { project: { id: projects.id, name: projects.name }, file: { id: files.id, path: files.path } };

const withRelated = (ctx: Context) =>
  ctx.db
    .select({ session: kernelSessions, ...related })
    .from(kernelSessions)
    .leftJoin(projects, eq(projects.id, kernelSessions.projectId))
    .leftJoin(files, eq(files.id, kernelSessions.fileId))
    .$dynamic();

export async function myServers(ctx: Context, { page, page_size }: Paging) {
  const where = and(eq(kernelSessions.userId, ctx.actor.userId ?? nobody), isNull(kernelSessions.endedAt));
  return serverPage(ctx, where, { page, page_size });
}

async function serverPage(ctx: Context, where: ReturnType<typeof and>, { page, page_size }: Paging) {
  const [rows, total] = await Promise.all([
    withRelated(ctx)
      .where(where)
      .orderBy(desc(kernelSessions.startedAt))
      .limit(page_size)
      .offset((page - 1) * page_size),
    ctx.db.$count(kernelSessions, where),
  ]);
  const costOf = await extensionCost(ctx.db, ctx.actor.userId ?? nobody);
  const entries = await Promise.all(
    rows.map(async ({ session, ...rest }) =>
      serverView(session, rest, { memoryUsed: await memoryOf(ctx, session), cost: costOf(session.extensionMs) }),
    ),
  );
  return { entries, page, page_size, total };
}

/** Known only for kernels of this server. */
async function memoryOf(ctx: Context, { id, endedAt }: KernelSessionRow): Promise<number | null> {
  const live = endedAt ? null : kernelSessionsOf(ctx).find(id);
  const usage = await live?.host.usage(id).catch(() => null);
  return usage?.memoryBytes ?? null;
}

export async function myUsage(ctx: Context, { type, ...page }: Paging & { type: 'server' | 'execution' }) {
  const mine = eq(kernelSessions.userId, ctx.actor.userId ?? nobody);
  return type === 'server' ? serverPage(ctx, mine, page) : executionPage(ctx, mine, page);
}

async function executionPage(ctx: Context, where: ReturnType<typeof eq>, { page, page_size }: Paging) {
  const batches = ctx.db
    .select({
      batchId: executions.batchId,
      sessionId: sql<string>`min(${executions.sessionId}::text)::uuid`.as('of_session'),
      total: count().as('total'),
      milliseconds: sql<number>`coalesce(sum(${executions.milliseconds}), 0)`.mapWith(Number).as('all_milliseconds'),
      startedAt: sql<Date>`min(${executions.startedAt})`.mapWith(executions.startedAt).as('first_started'),
      endedAt:
        sql<Date | null>`case when bool_and(${executions.endedAt} is not null) then max(${executions.endedAt}) end`
          .mapWith(executions.startedAt)
          .as('last_ended'),
    })
    .from(executions)
    .innerJoin(kernelSessions, eq(kernelSessions.id, executions.sessionId))
    .where(where)
    .groupBy(executions.batchId)
    .as('batches');
  const rows = await ctx.db
    .select({
      batch: {
        batchId: batches.batchId,
        count: batches.total,
        milliseconds: batches.milliseconds,
        startedAt: batches.startedAt,
        endedAt: batches.endedAt,
      },
      session: kernelSessions,
      ...related,
    })
    .from(batches)
    .innerJoin(kernelSessions, eq(kernelSessions.id, batches.sessionId))
    .leftJoin(projects, eq(projects.id, kernelSessions.projectId))
    .leftJoin(files, eq(files.id, kernelSessions.fileId))
    .orderBy(desc(batches.startedAt))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(batches);
  const costOf = await extensionCost(ctx.db, ctx.actor.userId ?? nobody);
  const entries: ServerUsage[] = rows.map(({ batch, session, ...rest }) =>
    executionUsageView(session, rest, { batch, sessionCost: costOf(session.extensionMs) }),
  );
  return { entries, page, page_size, total };
}

/** The server that has the kernel ends it; this one at once. */
export async function stopServer(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db.select().from(kernelSessions).where(eq(kernelSessions.id, id));
  if (!row) throw notFound('This server');
  ctx.authorize('server.stop', row);
  await requestStop(ctx, id, { reason: 'stopped', message: 'It was stopped by hand.' });
}

export async function requestStop(ctx: Context, id: string, why: StopReason): Promise<void> {
  await ctx.db
    .update(kernelSessions)
    .set({ stopReason: why.reason, stopMessage: why.message })
    .where(and(eq(kernelSessions.id, id), isNull(kernelSessions.stopReason), isNull(kernelSessions.endedAt)));
  void kernelSessionsOf(ctx).find(id)?.stop(why);
}

export async function jupyterStats(ctx: Context) {
  // Reading the status must not start the host: that takes seconds, and all its memory.
  const host = await ctx.kernels.running();
  const status = await host?.status();
  const today = new Date(ctx.now().getTime() - 24 * 60 * 60_000);
  const live = await ctx.db
    .select({ state: kernelSessions.state, id: kernelSessions.id })
    .from(kernelSessions)
    .where(isNull(kernelSessions.endedAt));
  const usages = await Promise.all(
    kernelSessionsOf(ctx).sessions.map(({ row }) => host?.usage(row.id).catch(() => null)),
  );
  const started = await ctx.db.$count(kernelSessions, gte(kernelSessions.startedAt, today));
  const ran = await ctx.db.$count(executions, gte(executions.startedAt, today));
  const ended = await ctx.db
    .select({ reason: kernelSessions.endReason, value: count() })
    .from(kernelSessions)
    .where(gte(kernelSessions.endedAt, today))
    .groupBy(kernelSessions.endReason)
    .orderBy(desc(count()));
  return {
    providers: (status?.providers ?? []).map(({ name, isAvailable, detail }) => ({
      name,
      is_available: isAvailable,
      detail,
    })),
    environment: status?.python ?? null,
    running: live.length,
    busy: live.filter(({ state }) => state === 'busy').length,
    memory_used: usages.reduce((sum, usage) => sum + (usage?.memoryBytes ?? 0), 0),
    started_today: started,
    executions_today: ran,
    ended_today: ended.map(({ reason, value }) => ({ reason: reason ?? 'unknown', count: value })),
  };
}
