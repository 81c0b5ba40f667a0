import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database, Transaction } from '../db/database.ts';
import { type Log, withoutParameters } from '../log.ts';
import { type JobRow, jobsTable } from './table.ts';

/** One step of a job; what it answers is the payload of the next, so that a long job takes many short turns. */
export type JobHandler = (ctx: Context, payload: Record<string, unknown>) => Promise<Record<string, unknown> | null>;
export type JobHandlers = Record<string, JobHandler>;

interface JobsDependencies {
  db: Database;
  log: Log;
  now: () => Date;
  handlers: JobHandlers;
  context: () => Context;
}

/** A server that died in the middle of a step is taken to be gone after this. */
const leaseMs = 60_000;
const maxAttempts = 6;
const pollMs = 2_000;
/** Jobs take at most a tenth of a server's time: after each step they rest nine times as long as it took. */
const restFactor = 9;
const maxRestMs = 1_000;

/** In the transaction of whatever makes it necessary. */
export async function enqueue(
  tx: Transaction,
  now: Date,
  name: string,
  payload: Record<string, unknown>,
  dueAt = now,
): Promise<void> {
  await tx.insert(jobsTable).values({ name, payload, createdAt: now, dueAt });
}

/** Does what waits in the table, one step after another, at least once. */
export class Jobs {
  private readonly dependencies: JobsDependencies;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private isAwaited = false;
  private wake: () => void = () => {};

  constructor(dependencies: JobsDependencies) {
    this.dependencies = dependencies;
  }

  start(): void {
    this.timer = setInterval(() => this.nudge(), pollMs);
  }

  nudge(): void {
    if (this.isStopped || this.running) return;
    this.running = this.run().finally(() => {
      this.running = null;
    });
  }

  /** Does all that is due, and waits for it; tests use it instead of sleeping. */
  async settled(): Promise<void> {
    this.isAwaited = true;
    this.wake();
    while (this.running) await this.running;
    this.nudge();
    while (this.running) await this.running;
    this.isAwaited = false;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearInterval(this.timer);
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      for (let job = await this.claim(); job && !this.isStopped; job = await this.claim()) {
        const began = performance.now();
        await this.step(job);
        const tookMs = performance.now() - began;
        await this.rest(Math.min(tookMs * restFactor, maxRestMs));
      }
    } catch (error) {
      this.dependencies.log.error({ error }, 'Jobs could not be read; trying again shortly');
    }
  }

  private async rest(ms: number): Promise<void> {
    if (this.isStopped || this.isAwaited) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async claim(): Promise<JobRow | null> {
    const { db, now } = this.dependencies;
    const due = db
      .select({ id: jobsTable.id })
      .from(jobsTable)
      .where(and(isNotNull(jobsTable.dueAt), lte(jobsTable.dueAt, now())))
      .orderBy(asc(jobsTable.dueAt), asc(jobsTable.id))
      .limit(1)
      .for('update', { skipLocked: true });
    const [job] = await db
      .update(jobsTable)
      .set({ dueAt: new Date(now().getTime() + leaseMs) })
      .where(eq(jobsTable.id, sql`(${due})`))
      .returning();
    return job ?? null;
  }

  private async step(job: JobRow): Promise<void> {
    const { db, now, log, handlers, context } = this.dependencies;
    const isThis = eq(jobsTable.id, job.id);
    try {
      const handler = handlers[job.name];
      if (!handler) throw new Error(`There is nobody who does ${job.name}`);
      const next = await handler(context(), job.payload);
      if (next) await db.update(jobsTable).set({ payload: next, dueAt: now(), attempts: 0 }).where(isThis);
      else await db.delete(jobsTable).where(isThis);
    } catch (error) {
      const attempts = job.attempts + 1;
      const isGivenUp = attempts >= maxAttempts;
      log.error({ error, job: job.name, jobId: job.id, attempts, isGivenUp }, 'A job failed');
      const dueAt = isGivenUp ? null : new Date(now().getTime() + 2 ** attempts * 1_000);
      await db
        .update(jobsTable)
        .set({ attempts, dueAt, lastError: String(withoutParameters(error)) })
        .where(isThis);
    }
  }
}
