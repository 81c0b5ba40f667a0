import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { AppError, storageFailure } from '../../../../platform/errors.ts';
import { kernelSessionsOf } from '../../../kernels/service/kernel-sessions.ts';
import { longestRunMs } from '../../../kernels/service/lease.ts';
import type { LiveSession } from '../../../kernels/service/live-session.ts';
import type { Outcome } from '../../../kernels/service/running-execution.ts';
import { executions } from '../../../kernels/table.ts';
import { loadPerson } from '../../../projects/service/relations.ts';
import { type JobRow, notebookJobs } from '../../table.ts';
import { type Address, topicOf } from '../address.ts';
import type { Restarts } from '../kernel/restarts.ts';
import { liveSession, openSession, requireRunner, sessionOf, stopSavingFiles } from '../kernel/session.ts';
import { inPersonJobs } from '../kernel-calls.ts';
import { finish, noting, showReason } from './job-record.ts';
import type { First } from './queue.ts';
import { type Next, roomIn } from './waiting.ts';

/** Runs cells, each from its place in the queue to its stored end. */
export class CellRuns {
  readonly #ctx: Context;
  readonly #restarts: Restarts;
  /** An earlier life of this server may have begun jobs that were queued before this time. */
  readonly #since: Date;
  readonly #finishing = new Set<Promise<void>>();
  #isStopping = false;

  constructor(ctx: Context, restarts: Restarts) {
    this.#ctx = ctx;
    this.#restarts = restarts;
    this.#since = ctx.now();
  }

  /** Cells that end from now on ended because the server stops. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Waits until the ends of finished cells are stored. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.#finishing);
  }

  /** Stores the begin of a cell that was begun in the moment the server ended, before this could be stored. */
  async noteResumed(address: Address): Promise<void> {
    const live = await sessionOf(this.#ctx, address);
    const jobs = await this.#ctx.db.select().from(notebookJobs).where(eq(notebookJobs.fileId, address.fileId));
    for (const job of jobs) {
      const row = job.state === 'waiting' ? live?.goingOf(job.batchId, job.cellId)?.row : null;
      if (!row) continue;
      const user = await loadPerson(this.#ctx.db, job.userId);
      await this.#ctx.write(async (write) => noting(address, job, user)(write, row));
    }
  }

  async runToEnd(address: Address, next: Next | First): Promise<void> {
    const { job } = next;
    // The cell runs in the name of the person who requested it, even if they have left.
    const ctx = this.#ctx.as(next.runner);
    try {
      const outcome = await this.#run(ctx, address, next).catch((error: unknown) =>
        // A cell that could not begin because the server stops waits for its next life, or another server.
        this.#isStopping ? null : this.#failed(ctx, address, job, error),
      );
      // The next life of this server resumes cells that ran when it stopped.
      if (this.#isStopping && outcome?.state === 'aborted') return;
      if (!outcome) return;
      const finishing = this.#finish(ctx, address, job, outcome);
      this.#finishing.add(finishing);
      await finishing.finally(() => this.#finishing.delete(finishing));
    } catch (error) {
      this.#complain(error, address, 'A cell could not be brought to its end');
    } finally {
      inPersonJobs(ctx).delete(job.id);
    }
  }

  /** Null for a cell that was taken out of the queue. */
  async #run(ctx: Context, address: Address, next: Next | First): Promise<Outcome | null> {
    const { job } = next;
    if (job.state === 'running' || job.queuedAt < this.#since) {
      const going = await this.#resumed(ctx, address, job);
      if (going) return going;
    }
    const restarting = this.#restarts.of(address.fileId);
    await restarting;
    const known = 'sessionId' in next && !restarting ? liveSession(ctx, next.sessionId) : null;
    const [{ mayEdit, user }, live] =
      known && 'user' in next ? [next, known] : await this.#whoAndWhere(ctx, address, job.userId);
    if (!mayEdit) await stopSavingFiles(ctx, live);
    const prepared = known && 'ahead' in next ? await next.ahead : null;
    const [[still], { longestMs }] = await Promise.all([
      known ? [job] : ctx.db.select({ id: notebookJobs.id }).from(notebookJobs).where(eq(notebookJobs.id, job.id)),
      prepared?.sessionId === live.row.id ? prepared : prepare(ctx, live),
    ]);
    // The cell was taken out of the queue while the kernel started.
    if (!still) return null;
    return live.execute({
      id: job.id,
      code: job.code,
      batchId: job.batchId,
      cell: job.cellId,
      topic: topicOf(address),
      longestMs,
      isParallel: next.isParallel && roomIn(ctx, live) > 1,
      allowsInput: true,
      noted: noting(address, job, user),
    });
  }

  async #whoAndWhere(ctx: Context, address: Address, userId: string) {
    const [rights, user] = await Promise.all([requireRunner(ctx, address), loadPerson(ctx.db, userId)]);
    const live = await openSession(ctx, address);
    return [{ ...rights, user }, live] as const;
  }

  /** A cell that ran when the server ended: it continues, has ended, or was never begun. */
  async #resumed(ctx: Context, address: Address, job: JobRow): Promise<Outcome | null> {
    const live = await sessionOf(ctx, address);
    const going = live?.goingOf(job.batchId, job.cellId);
    if (live && going) {
      await live.ensure(job.id, job.code);
      return going.finished;
    }
    const [execution] = await ctx.db.select().from(executions).where(eq(executions.id, job.id));
    if (!execution) return null;
    if (execution.endedAt) {
      const { state, reason, errorName } = execution;
      return { state: state as Outcome['state'], reason, errorName };
    }
    return { state: 'error', reason: 'The kernel stopped. Run it again.', errorName: null };
  }

  /** Retries, because a short failure of the database must not leave a cell running for ever. */
  async #finish(ctx: Context, address: Address, job: JobRow, outcome: Outcome): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await finish(ctx, address, job, outcome);
      } catch (error) {
        this.#complain(error, address, 'The end of a cell could not be stored; trying again');
        if (attempt >= 30 || this.#isStopping) throw error;
        await wait(Math.min(attempt, 5) * 500);
      }
    }
  }

  async #failed(ctx: Context, address: Address, job: JobRow, error: unknown): Promise<Outcome> {
    const isOurs = !(error instanceof AppError);
    if (isOurs) this.#complain(error, address, 'A cell could not be run');
    const reason = isOurs ? (storageFailure(error)?.message ?? 'Internal error. Run it again.') : error.message;
    await showReason(ctx, address, job.cellId, reason);
    return { state: 'error', reason, errorName: null };
  }

  #complain(error: unknown, { fileId }: Address, what: string): void {
    this.#ctx.log.error({ error, file: fileId }, what);
  }
}

export interface Ahead {
  sessionId: string;
  longestMs: number | null;
}

/** Loads the settings that a kernel needs before a cell is run. */
export async function prepare(ctx: Context, { row }: LiveSession): Promise<Ahead> {
  // Refreshes files, so that the code sees the newest changes.
  const [longestMs] = await Promise.all([
    longestRunMs(ctx, row.userId),
    kernelSessionsOf(ctx).refreshFiles({ id: row.id, db: ctx.db }),
  ]);
  return { sessionId: row.id, longestMs };
}
