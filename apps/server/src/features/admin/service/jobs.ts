import type { AdminJob, EndpointInput } from '@atoll/contract';
import { and, desc, eq, lt } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { cancelJob, retryJob } from '../../../platform/jobs/enqueue.ts';
import { type JobRow, jobsTable } from '../../../platform/jobs/table.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';

export async function listJobs(ctx: Context, { state, kind, before, page_size }: EndpointInput<'admin', 'jobs'>) {
  const rows = await ctx.db
    .select()
    .from(jobsTable)
    .where(
      and(
        state ? eq(jobsTable.state, state) : undefined,
        kind ? eq(jobsTable.kind, kind) : undefined,
        before ? lt(jobsTable.id, before) : undefined,
      ),
    )
    .orderBy(desc(jobsTable.id))
    .limit(page_size + 1);
  const page = rows.slice(0, page_size);
  const kinds = await ctx.db.selectDistinct({ kind: jobsTable.kind }).from(jobsTable).orderBy(jobsTable.kind);
  return {
    entries: await views(ctx, page),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
    kinds: kinds.map((each) => each.kind),
  };
}

async function views(ctx: Context, rows: JobRow[]): Promise<AdminJob[]> {
  const people = await loadPeopleOf(ctx.db, rows, ({ ownerId }) => ownerId);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    owner: people.get(row.ownerId ?? '') ?? null,
    attempts: row.attempts,
    progress: row.progress,
    message: row.message,
    reason: row.reason,
    due_at: row.dueAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
  }));
}

/** What is in a payload is none of the log's business: the kind and the reason say enough. */
async function act(
  ctx: Context,
  id: string,
  {
    action,
    reason,
    refusal,
    work,
  }: { action: string; reason?: string; refusal: string; work(write: Write): Promise<boolean> },
): Promise<AdminJob> {
  await ctx.write(async (write) => {
    const [job] = await write.tx.select().from(jobsTable).where(eq(jobsTable.id, id)).for('update');
    if (!job) throw notFound('This job');
    if (!(await work(write))) throw new AppError('conflict', refusal);
    const before = { name: job.kind, state: job.state, reason: job.reason };
    await recordAction(ctx, write, { action, subject: { type: 'job', id }, before, reason });
  });
  const [row] = await ctx.db.select().from(jobsTable).where(eq(jobsTable.id, id));
  if (!row) throw notFound('This job');
  const [job] = await views(ctx, [row]);
  if (!job) throw notFound('This job');
  return job;
}

export const retry = (ctx: Context, id: string) =>
  act(ctx, id, {
    action: 'job.retried',
    refusal: 'Only a job that failed or was canceled can be tried again, and only one with its key at a time.',
    work: (write) => retryJob(write.tx, ctx.now(), id),
  });

export const cancel = (ctx: Context, id: string, reason: string) =>
  act(ctx, id, {
    action: 'job.canceled',
    reason,
    refusal: 'This job has already ended.',
    work: (write) => cancelJob(write.tx, ctx.now(), id, reason),
  });
