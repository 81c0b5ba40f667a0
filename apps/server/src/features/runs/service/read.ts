import type { EndpointInput, Run, RunDetail } from '@atoll/contract';
import { and, asc, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { containing } from '../../../platform/like.ts';
import { executionOutputs, executions } from '../../kernels/table.ts';
import { executionView } from '../../kernels/view.ts';
import { requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { users } from '../../users/table.ts';
import { type RunRow, runs } from '../table.ts';
import { runView } from '../view.ts';

export async function listRuns(
  ctx: Context,
  input: EndpointInput<'runs', 'list'>,
): Promise<{ entries: Run[]; total: number }> {
  await requireProject(ctx, ctx.db, input.id, 'project.view_history');
  const where = and(
    eq(runs.projectId, input.id),
    input.all_runs ? undefined : eq(runs.starterId, ctx.actor.userId ?? nobody),
    input.mode === 'last_ok' ? eq(runs.status, 'ok') : undefined,
    input.mode === 'scheduled' ? eq(runs.type, 'scheduled') : undefined,
    input.project_file_id ? eq(runs.fileId, input.project_file_id) : undefined,
    input.search ? found(input.search) : undefined,
  );
  const rows = await ctx.db
    .select()
    .from(runs)
    .where(where)
    .orderBy(desc(runs.number))
    .limit(input.page_size)
    .offset((input.page - 1) * input.page_size);
  const total = await ctx.db.$count(runs, where);
  return { entries: await runViews(ctx.db, rows), total };
}

function found(search: string): SQL | undefined {
  const pattern = containing(search);
  const starters = sql`(select id from ${users} where ${or(ilike(users.userName, pattern), ilike(users.firstName, pattern), ilike(users.lastName, pattern))})`;
  return or(
    sql`${runs.number}::text = ${search.replace(/^#/, '')}`,
    ilike(runs.filePath, pattern),
    ilike(runs.errorReason, pattern),
    sql`${runs.starterId} in ${starters}`,
  );
}

export async function runViews(db: Database | Transaction, rows: RunRow[]): Promise<Run[]> {
  if (rows.length === 0) return [];
  const people = await loadPeopleOf(db, rows, ({ starterId }) => starterId);
  const spent = await db
    .select({ id: executions.batchId, milliseconds: sql<number>`sum(${executions.milliseconds})`.mapWith(Number) })
    .from(executions)
    .where(
      inArray(
        executions.batchId,
        rows.map(({ id }) => id),
      ),
    )
    .groupBy(executions.batchId);
  const times = new Map(spent.map(({ id, milliseconds }) => [id, milliseconds]));
  return rows.map((row) => runView(row, people.get(row.starterId ?? '') ?? null, times.get(row.id) ?? 0));
}

export async function requireRun(db: Database | Transaction, projectId: string, runId: string): Promise<RunRow> {
  const [row] = await db
    .select()
    .from(runs)
    .where(and(eq(runs.id, runId), eq(runs.projectId, projectId)));
  if (!row) throw notFound('This run');
  return row;
}

export async function getRun(ctx: Context, projectId: string, runId: string): Promise<RunDetail> {
  await requireProject(ctx, ctx.db, projectId, 'project.view_history');
  const row = await requireRun(ctx.db, projectId, runId);
  const [run] = await runViews(ctx.db, [row]);
  if (!run) throw notFound('This run');
  return { ...run, executions: await executionsOf(ctx.db, runId) };
}

/** With what each of them shows, in order. */
export async function executionsOf(db: Database, runId: string): Promise<RunDetail['executions']> {
  const rows = await db
    .select()
    .from(executions)
    .where(eq(executions.batchId, runId))
    .orderBy(asc(executions.startedAt), asc(executions.id));
  const outputs = await db
    .select({ executionId: executionOutputs.executionId, output: executionOutputs.output })
    .from(executionOutputs)
    .innerJoin(executions, eq(executions.id, executionOutputs.executionId))
    .where(eq(executions.batchId, runId))
    .orderBy(asc(executionOutputs.index));
  return rows.map((row) => ({
    ...executionView(row),
    outputs: outputs.filter(({ executionId }) => executionId === row.id).map(({ output }) => output),
  }));
}
