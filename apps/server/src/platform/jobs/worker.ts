import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Context, Write } from '../context.ts';
import type { Database, Transaction } from '../db/database.ts';
import { rowsOf } from '../db/rows.ts';
import { type Log, withoutParameters } from '../log.ts';
import type { TopicMessage } from '../realtime/stream.ts';
import { type ClaimedJob, claimJobs, defaultAttempts } from './claim.ts';
import { type AnyJob, JobFailure, type JobSchedule, type RunningJob } from './definition.ts';
import { putTimesRight } from './put-times-right.ts';
import { enqueueDueSchedules, prepareSchedules } from './schedules.ts';
import { type JobRow, jobsTable } from './table.ts';

interface JobsDependencies {
  db: Database;
  log: Log;
  now: () => Date;
  definitions: AnyJob[];
  schedules: Record<string, JobSchedule>;
  context: () => Context;
  /** The messages to a job's owner when it changes. */
  messagesFor: (job: JobRow) => TopicMessage[];
}

/** A server that does not renew its leases for so long counts as dead, and its jobs begin again. */
const leaseMs = 60_000;
const renewMs = 5_000;
const pollMs = 2_000;
const reportMs = 500;
const rightMs = 60_000;
const defaultTimeoutMs = 10 * 60_000;
const mostAtOnce = 8;
/** Gentle jobs take at most a tenth of a server's time. */
const restFactor = 9;
const maxRestMs = 1_000;
const keptMs = { succeeded: 24 * 3_600_000, others: 30 * 24 * 3_600_000 };
const retryDelayMs = (attempt: number) => Math.min(2 ** attempt * 1_000, 15 * 60_000);

/** Another attempt has the job now, or it was canceled; this attempt must not have any effect. */
class LeaseLost extends Error {}

interface Attempt {
  job: ClaimedJob;
  abort: AbortController;
}

/** Runs queued jobs: several at a time, each step at least once, and its writes exactly once. */
export class Jobs {
  private readonly dependencies: JobsDependencies;
  private readonly definitions: Map<string, AnyJob>;
  private readonly running = new Map<string, Attempt>();
  private readonly ended = new Set<Promise<void>>();
  private timers: NodeJS.Timeout[] = [];
  private looking: Promise<void> | null = null;
  private isNudged = false;
  private begun = 0;
  private isStopped = false;
  /** By the clock of the process, which cannot be set. */
  private rightAt = Number.NEGATIVE_INFINITY;
  /** Tests wait for all due jobs, without the rests in between. */
  private isAwaited = false;
  private wake = new AbortController();

  constructor(dependencies: JobsDependencies) {
    this.dependencies = dependencies;
    this.definitions = new Map(dependencies.definitions.map((definition) => [definition.kind, definition]));
    if (this.definitions.size !== dependencies.definitions.length) throw new Error('Two jobs have the same kind');
  }

  async start(): Promise<void> {
    const { db, now, schedules } = this.dependencies;
    await prepareSchedules(db, now(), schedules);
    this.timers = [setInterval(() => this.nudge(), pollMs), setInterval(() => void this.renew(), renewMs)];
  }

  nudge(): void {
    if (this.isStopped) return;
    this.isNudged = true;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
  }

  /** Runs all due jobs and waits for them; tests use it instead of sleeping. */
  async settled(): Promise<void> {
    this.isAwaited = true;
    this.wake.abort();
    // Due jobs that have not begun are beyond a limit: another server's jobs have to end first.
    for (let before = -1; before !== this.begun; ) {
      before = this.begun;
      this.nudge();
      while (this.looking || this.ended.size > 0) await (this.looking ?? Promise.race(this.ended));
    }
    this.isAwaited = false;
    this.wake = new AbortController();
  }

  /** Begins no more jobs and leaves running ones to another server. */
  pause(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    this.wake.abort();
    for (const { abort } of this.running.values()) abort.abort(stopped());
  }

  async stop(): Promise<void> {
    this.pause();
    await this.looking;
    await Promise.allSettled(this.ended);
  }

  private async look(): Promise<void> {
    const { db, now, log, schedules, definitions } = this.dependencies;
    try {
      while (this.isNudged && !this.isStopped) {
        this.isNudged = false;
        if (performance.now() - this.rightAt > rightMs) {
          this.rightAt = performance.now();
          await putTimesRight(db, now(), { leaseMs, schedules });
        }
        await enqueueDueSchedules(db, now(), schedules);
        const free = mostAtOnce - this.running.size;
        if (free === 0) return;
        const jobs = await claimJobs(db, { definitions, now: now(), leaseMs, free });
        for (const job of jobs) this.begin(job);
      }
    } catch (error) {
      log.error({ error }, 'Jobs could not be read; trying again shortly');
    }
  }

  private begin(job: ClaimedJob): void {
    const attempt: Attempt = { job, abort: new AbortController() };
    this.begun++;
    if (job.cancelReason) attempt.abort.abort(new JobCanceled(job.cancelReason));
    else if (this.isStopped) attempt.abort.abort(stopped());
    this.running.set(job.id, attempt);
    const ended = this.attempt(attempt)
      .catch((error: unknown) =>
        this.dependencies.log.error({ error, job: job.kind, jobId: job.id }, 'The end of a job could not be stored'),
      )
      .finally(() => {
        this.running.delete(job.id);
        this.ended.delete(ended);
        this.nudge();
      });
    this.ended.add(ended);
  }

  private async attempt({ job, abort }: Attempt): Promise<void> {
    const definition = this.definitions.get(job.kind);
    if (!definition) return;
    const began = performance.now();
    const timeout = AbortSignal.timeout(definition.timeoutMs ?? defaultTimeoutMs);
    const running = this.runningJob(job, AbortSignal.any([abort.signal, timeout]));
    try {
      running.signal.throwIfAborted();
      const next: unknown = await definition.run({ ...running, payload: definition.payload.parse(job.payload) });
      if (next !== undefined) await this.continueWith(job, definition.payload.parse(next));
      else await this.end(job, succeeded(this.dependencies.now()));
    } catch (error) {
      await this.fail(job, definition, abort.signal.aborted ? abort.signal.reason : error);
    } finally {
      if (definition.isGentle) await this.rest(Math.min((performance.now() - began) * restFactor, maxRestMs));
    }
  }

  private runningJob(job: ClaimedJob, signal: AbortSignal): RunningJob<unknown> {
    const ctx = this.dependencies.context();
    let reported = 0;
    return {
      id: job.id,
      ctx,
      payload: job.payload,
      ownerId: job.ownerId,
      attempt: job.attempts,
      signal,
      report: (progress, message) => {
        const now = Date.now();
        if (now - reported < reportMs && progress !== 1) return;
        reported = now;
        void this.change(job, { progress, message }).catch(() => {});
      },
      write: (work) =>
        ctx.write(async (write) => {
          const result = await work(write);
          await this.hold(write.tx, job);
          return result;
        }),
      finish: (work) =>
        ctx.write(async (write) => {
          const result = await work(write);
          await this.endIn(write, job, succeeded(this.dependencies.now()));
          return result;
        }),
    };
  }

  /** Fails unless this attempt still has the job; until the commit no other attempt can take it. */
  private async hold(tx: Transaction, job: ClaimedJob): Promise<void> {
    const [held] = await tx.select({ reason: jobsTable.cancelReason }).from(jobsTable).where(isHeld(job)).for('update');
    if (!held) throw new LeaseLost();
    if (held.reason) throw new JobCanceled(held.reason);
  }

  private change(job: ClaimedJob, fields: JobChange): Promise<boolean> {
    return this.dependencies.context().write((write) => this.changeIn(write, job, fields));
  }

  private async changeIn(write: Write, job: ClaimedJob, fields: JobChange): Promise<boolean> {
    const [changed] = await write.tx.update(jobsTable).set(fields).where(isHeld(job)).returning();
    if (!changed) return false;
    for (const message of this.dependencies.messagesFor(changed)) write.publish(message);
    return true;
  }

  private async continueWith(job: ClaimedJob, payload: unknown): Promise<void> {
    await this.change(job, { ...released, payload, state: 'queued', attempts: 0, dueAt: this.dependencies.now() });
  }

  private end(job: ClaimedJob, fields: JobChange): Promise<boolean> {
    return this.change(job, { ...released, endedAt: this.dependencies.now(), ...fields });
  }

  private async endIn(write: Write, job: ClaimedJob, fields: JobChange): Promise<void> {
    await this.hold(write.tx, job);
    await this.changeIn(write, job, { ...released, endedAt: this.dependencies.now(), ...fields });
  }

  private async fail(job: ClaimedJob, definition: AnyJob, error: unknown): Promise<void> {
    const { log, now } = this.dependencies;
    if (error instanceof LeaseLost) return;
    if (error instanceof JobCanceled) {
      await this.end(job, { state: 'canceled', reason: error.message });
      return;
    }
    if (this.isStopped) {
      // Another server continues the job, and this attempt does not count.
      await this.change(job, { ...released, state: 'queued', attempts: job.attempts - 1, dueAt: now() });
      return;
    }
    const isGivenUp = error instanceof JobFailure || job.attempts >= (definition.attempts ?? defaultAttempts);
    const reason =
      error instanceof Error ? String(withoutParameters(error)).replace(/^(JobFailure|Error): /, '') : String(error);
    log.error({ error, job: job.kind, jobId: job.id, attempts: job.attempts, isGivenUp }, 'A job failed');
    if (isGivenUp) await this.end(job, { state: 'failed', reason });
    else {
      const dueAt = new Date(now().getTime() + retryDelayMs(job.attempts));
      await this.change(job, { ...released, state: 'queued', reason, dueAt });
    }
  }

  /** A server also learns here that one of its jobs was canceled or taken over. */
  private async renew(): Promise<void> {
    if (this.running.size === 0) return;
    const { db, now, log } = this.dependencies;
    const mine = [...this.running.values()];
    try {
      const until = new Date(now().getTime() + leaseMs).toISOString();
      const leases = JSON.stringify(mine.map(({ job }) => ({ id: job.id, lease: job.leaseId })));
      const renewed = rowsOf<{ id: string; reason: string | null }>(
        await db.execute(sql`update ${jobsTable} set lease_until = ${until}::timestamptz
          from jsonb_to_recordset(${leases}::jsonb) as mine (id uuid, lease uuid)
          where jobs.id = mine.id and jobs.lease_id = mine.lease and state = 'running'
          returning jobs.id, cancel_reason as reason`),
      );
      const reasons = new Map(renewed.map(({ id, reason }) => [id, reason]));
      for (const { job, abort } of mine) {
        const reason = reasons.get(job.id);
        if (reason === undefined && this.running.get(job.id)?.job === job) abort.abort(new LeaseLost());
        else if (reason) abort.abort(new JobCanceled(reason));
      }
    } catch (error) {
      log.error({ error }, 'Leases of jobs could not be renewed');
    }
  }

  private async rest(ms: number): Promise<void> {
    if (this.isStopped || this.isAwaited) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake.signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
  }
}

class JobCanceled extends Error {}

const stopped = () => new Error('The server is being stopped.');

const released = { leaseId: null, leaseUntil: null };

type JobChange = PgUpdateSetSource<typeof jobsTable>;

/** Marks a job as done, or queues it again if it was requested again while it ran. */
function succeeded(now: Date): JobChange {
  const { isWantedAgain, attempts } = jobsTable;
  return {
    state: sql`case when ${isWantedAgain} then 'queued' else 'succeeded' end`,
    attempts: sql`case when ${isWantedAgain} then 0 else ${attempts} end`,
    endedAt: sql`case when not ${isWantedAgain} then ${now.toISOString()}::timestamptz end`,
    reason: null,
    message: null,
  };
}

const isHeld = (job: ClaimedJob) =>
  and(eq(jobsTable.id, job.id), eq(jobsTable.leaseId, job.leaseId), eq(jobsTable.state, 'running'));

/** Keeps ended jobs long enough for people to inspect them. */
export async function sweepJobs(db: Database, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  await db
    .delete(jobsTable)
    .where(and(eq(jobsTable.state, 'succeeded'), lt(jobsTable.endedAt, before(keptMs.succeeded))));
  await db.delete(jobsTable).where(and(isNotNull(jobsTable.endedAt), lt(jobsTable.endedAt, before(keptMs.others))));
}
