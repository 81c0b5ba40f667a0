import { setTimeout as wait } from 'node:timers/promises';
import { type CellOutput, type PersonSummary, topics } from '@atoll/contract';
import { and, asc, eq, isNull, notInArray, or, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { finished } from '../../../platform/db/finished.ts';
import { AppError } from '../../../platform/errors.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { keeperOf } from '../../kernels/service/keeper.ts';
import { longestRunMs } from '../../kernels/service/lease.ts';
import type { LiveSession } from '../../kernels/service/live-session.ts';
import type { Outcome } from '../../kernels/service/ongoing.ts';
import { requestStop } from '../../kernels/service/servers.ts';
import { type ExecutionRow, executions } from '../../kernels/table.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { type JobRow, notebookCells, notebookJobs, notebooks } from '../table.ts';
import { type Address, topicOf } from './address.ts';
import { markChanged } from './edit.ts';
import { abandoned, type Ownership, otherOwner, ownershipOf, takeOver } from './owner.ts';
import { dropBatch, type First } from './queue.ts';
import { tellQueue } from './queue-view.ts';
import {
  liveSession,
  openSession,
  othersRun,
  requireRunner,
  sessionOf,
  stopSavingFiles,
  storedSession,
} from './session.ts';
import { cellExecutionView } from './shown.ts';

/** What one server asks of another that has the notebook. */
interface Act {
  address: Address;
  act: 'ping' | 'wake' | 'interrupt' | 'reply' | 'restart';
  args: (string | null)[];
}
const subject = 'notebook.act';
const beatMs = 2_000;

/** A cell that waits, and whether it may run beside others. */
interface Next {
  job: JobRow;
  isParallel: boolean;
}

/**
 * Runs what is in the queues of this server's notebooks: of each notebook one cell after the other; or, where its people
 * want that and its kernel can, several at once. Cells that were asked for together keep their order even then.
 */
export class NotebookRunner {
  /** Of the server itself: what comes after a transaction must not use it. */
  readonly #ctx: Context;
  readonly #restarting = new Map<string, Promise<unknown>>();
  readonly #loops = new Map<string, Promise<void>>();
  /** Somebody was woken while the loop was about to end; or while it waits for what runs. */
  readonly #again = new Set<string>();
  readonly #wakers = new Map<string, () => void>();
  readonly #since: Date;
  readonly #owned: Ownership;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> | null = null;
  #isStopping = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#owned = ownershipOf(ctx);
    this.#since = ctx.now();
  }

  /** Takes up what an earlier life of this server has left. */
  async start(): Promise<void> {
    this.#ctx.peers.answer(subject, async (payload) => this.#asked(payload as unknown as Act));
    await this.#owned.recall();
    for (const address of await this.#left()) {
      await this.#noteResumed(address);
      this.wake(address);
    }
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat()
        .catch((error: unknown) => this.#ctx.log.error({ error }, 'Looking after notebooks failed'))
        .finally(() => {
          this.#beating = null;
        });
    }, beatMs);
    this.#timer.unref();
  }

  /** Notebooks with something in their queue that is for this server to run. */
  async #left(): Promise<Address[]> {
    const serverId = await this.#ctx.kernels.serverId();
    const isOurs = or(
      eq(notebooks.ownerId, serverId),
      and(isNull(notebooks.ownerId), eq(notebookJobs.serverId, serverId)),
    );
    return this.#ctx.db
      .selectDistinct({ fileId: notebookJobs.fileId, projectId: notebooks.projectId })
      .from(notebookJobs)
      .innerJoin(notebooks, eq(notebooks.fileId, notebookJobs.fileId))
      .where(isOurs);
  }

  async #beat(): Promise<void> {
    const inUse = new Set(keeperOf(this.#ctx).sessions.map(({ row }) => row.purpose === 'notebook' && row.fileId));
    await this.#owned.keep((fileId) => this.#loops.has(fileId) || inUse.has(fileId));
    // A word of another server that was lost.
    for (const address of await this.#left()) if (!this.#loops.has(address.fileId)) this.wake(address);
    for (const address of await abandoned(this.#ctx)) await takeOver(this.#ctx, address);
  }

  /** A cell that was begun in the very moment the server ended: nobody had noted yet that it shows something else. */
  async #noteResumed(address: Address): Promise<void> {
    const live = await sessionOf(this.#ctx, address);
    const jobs = await this.#ctx.db.select().from(notebookJobs).where(eq(notebookJobs.fileId, address.fileId));
    for (const job of jobs) {
      const row = job.state === 'waiting' ? live?.goingOf(job.batchId, job.cellId)?.row : null;
      if (!row) continue;
      const user = (await loadPeople(this.#ctx.db, [job.userId])).get(job.userId) ?? null;
      await this.#ctx.write(async (write) => noting(address, job, user)(write, row));
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const wake of this.#wakers.values()) wake();
    await this.#beating;
    await Promise.all(this.#loops.values());
    await this.#owned.release();
  }

  /** What the notebook's kernel needs before a cell is run, looked for while that cell is put into the queue. */
  async ahead({ fileId }: Address): Promise<Ahead | null> {
    const live = keeperOf(this.#ctx).sessions.find(({ row, isEnding }) => row.fileId === fileId && !isEnding);
    return live && live.row.purpose === 'notebook' ? prepare(this.#ctx, live).catch(() => null) : null;
  }

  wake(address: Address, first?: First): void {
    const { fileId } = address;
    if (this.#isStopping) return;
    if (this.#loops.has(fileId)) {
      this.#again.add(fileId);
      this.#wakers.get(fileId)?.();
      return;
    }
    const loop = this.#loop(address, first)
      .catch((error: unknown) => this.#complain(error, address, 'The queue of a notebook failed'))
      .finally(() => {
        this.#loops.delete(fileId);
        this.#wakers.delete(fileId);
        if (this.#again.delete(fileId)) this.wake(address);
      });
    this.#loops.set(fileId, loop);
  }

  /** Stops what runs, or one of them. */
  interrupt(address: Address, id: string | null = null): void {
    this.#atOwner(address, 'interrupt', [id], async () => {
      const live = await sessionOf(this.#ctx, address);
      await live?.interrupt(id ?? undefined);
    }).catch((error: unknown) => this.#complain(error, address, 'A kernel could not be interrupted'));
  }

  reply(address: Address, value: string): void {
    this.#atOwner(address, 'reply', [value], async () => {
      const live = await sessionOf(this.#ctx, address);
      await live?.host.reply(live.row.id, value);
    }).catch((error: unknown) => this.#complain(error, address, 'A kernel did not get its answer'));
  }

  /** Whichever server has it looks for who wants it to end. */
  end(address: Address, why: string): void {
    storedSession(this.#ctx, address)
      .then((session) => session && requestStop(this.#ctx, session.id, { reason: 'stopped', message: why }))
      .catch((error: unknown) => this.#complain(error, address, 'A kernel could not be stopped'));
  }

  /** Here, or by the server that has the notebook. */
  async #atOwner(address: Address, act: Act['act'], args: (string | null)[], here: () => Promise<void>): Promise<void> {
    const owner = this.#owned.has(address.fileId) ? null : await otherOwner(this.#ctx, address);
    if (owner) await this.#ctx.peers.ask(owner, subject, { address: { ...address }, act, args });
    else await here();
  }

  /** By another server, for somebody who is there. */
  #asked({ address, act, args: [arg = null] }: Act): null {
    if (act === 'wake') this.wake(address);
    else if (act === 'interrupt') this.interrupt(address, arg);
    else if (act === 'reply') this.reply(address, arg ?? '');
    else if (act === 'restart') this.restart(address, arg);
    return null;
  }

  /** The same kernel with nothing in it; what is run from now on waits for it. */
  restart(address: Address, userId: string | null): void {
    const restarting = this.#atOwner(address, 'restart', [userId], () => this.#restart(address, userId))
      .catch((error: unknown) => this.#complain(error, address, 'A kernel could not be restarted'))
      .finally(() => {
        if (this.#restarting.get(address.fileId) === restarting) this.#restarting.delete(address.fileId);
      });
    this.#restarting.set(address.fileId, restarting);
  }

  async #restart(address: Address, userId: string | null): Promise<void> {
    const live = await sessionOf(this.#ctx, address);
    if (!live) return;
    // Secrets are their owner's: where others run code, too, there is a new kernel without them.
    const isShared = live.row.hasSecrets && (await othersRun(this.#ctx, address.projectId));
    if (live.row.hasSecrets && (isShared || live.row.userId !== userId)) {
      await live.stop({ reason: 'stopped', message: 'The kernel was restarted.' });
      await live.ended;
    } else {
      await live.host.restart(live.row.id);
      live.forgetWidgets();
    }
  }

  #complain(error: unknown, { fileId }: Address, what: string): void {
    this.#ctx.log.error({ error, file: fileId }, what);
  }

  async #loop(address: Address, first?: First): Promise<void> {
    const { fileId } = address;
    const running = new Map<string, { job: JobRow; done: Promise<void> }>();
    let isAlone = false;
    try {
      while (!this.#isStopping) {
        const woken = Promise.withResolvers<void>();
        this.#wakers.set(fileId, woken.resolve);
        const isAgain = this.#again.delete(fileId);
        // What was begun a moment ago was alone in the queue.
        if (isAlone && !isAgain) {
          isAlone = false;
          await woken.promise;
          continue;
        }
        if (!(await this.#owned.claim(address))) return await this.#passOn(address);
        const next =
          first ??
          (await this.#next(
            address,
            [...running.values()].map(({ job }) => job),
          ));
        isAlone = first !== undefined && !first.isParallel;
        first = undefined;
        if (next) {
          const { job } = next;
          const done = this.#runToEnd(address, next).finally(() => {
            running.delete(job.id);
            this.#wakers.get(fileId)?.();
          });
          running.set(job.id, { job, done });
        } else if (running.size === 0) return;
        else await woken.promise;
      }
    } finally {
      await Promise.all([...running.values()].map(({ done }) => done));
    }
  }

  /** Another server runs this notebook: it is told that there is something new. */
  async #passOn(address: Address): Promise<void> {
    await this.#restarting.get(address.fileId);
    const owner = await otherOwner(this.#ctx, address);
    if (owner) await this.#ctx.peers.ask(owner, subject, { address: { ...address }, act: 'wake', args: [] });
  }

  /** What is to be begun now; null when nothing is, or not yet. */
  async #next(address: Address, running: JobRow[]): Promise<Next | null> {
    const isBeside = running.length > 0;
    const live = isBeside ? await sessionOf(this.#ctx, address) : null;
    if (isBeside && running.length >= roomIn(this.#ctx, live)) return null;
    const [next] = await this.#ctx.db
      .select({ job: notebookJobs, isParallel: notebooks.isParallel })
      .from(notebookJobs)
      .innerJoin(notebooks, eq(notebooks.fileId, notebookJobs.fileId))
      .where(
        and(
          eq(notebookJobs.fileId, address.fileId),
          // The rest of a batch needs what came before; and a cell shows one execution at a time.
          isBeside ? notInArray(notebookJobs.batchId, [...new Set(running.map(({ batchId }) => batchId))]) : undefined,
          isBeside ? notInArray(notebookJobs.cellId, [...new Set(running.map(({ cellId }) => cellId))]) : undefined,
        ),
      )
      .orderBy(asc(notebookJobs.state), asc(notebookJobs.place))
      .limit(1);
    return next && (!isBeside || next.isParallel) ? next : null;
  }

  async #runToEnd(address: Address, next: Next | First): Promise<void> {
    const { job } = next;
    const ctx = actingFor(this.#ctx, job.userId);
    try {
      const outcome = await this.#run(ctx, address, next).catch((error: unknown) =>
        this.#failed(ctx, address, job, error),
      );
      // What was running when the server was stopped is taken up by its next life.
      if (this.#isStopping && outcome?.state === 'aborted') return;
      if (outcome) await this.#finish(ctx, address, job, outcome);
    } catch (error) {
      this.#complain(error, address, 'A cell could not be brought to its end');
    }
  }

  /** Null for one that nobody wants any more. */
  async #run(ctx: Context, address: Address, next: Next | First): Promise<Outcome | null> {
    const { job } = next;
    if (job.state === 'running' || job.queuedAt < this.#since) {
      const going = await this.#resumed(ctx, address, job);
      if (going) return going;
    }
    const restarting = this.#restarting.get(address.fileId);
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
    // Somebody took it out of the queue while the kernel started.
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
    const [rights, people] = await Promise.all([requireRunner(ctx, address, userId), loadPeople(ctx.db, [userId])]);
    const live = await openSession(ctx, address);
    return [{ ...rights, user: people.get(userId) ?? null }, live] as const;
  }

  /** One that ran when the server ended: it goes on, or has ended, or was never begun. */
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
    return { state: 'error', reason: 'Its kernel is gone. Run it again.', errorName: null };
  }

  /** A database that is away for a moment must not leave a cell running for ever. */
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

  /** It could not even be begun: the reason is shown where the outputs would be. */
  async #failed(ctx: Context, address: Address, job: JobRow, error: unknown): Promise<Outcome> {
    const isOurs = !(error instanceof AppError);
    if (isOurs) this.#complain(error, address, 'A cell could not be run');
    const reason = isOurs ? 'Something went wrong on our side. Run it again.' : error.message;
    await showReason(ctx, address, job.cellId, reason);
    return { state: 'error', reason, errorName: null };
  }
}

const showing = finished(sql`update ${notebookCells} set shown = 'execution', outputs = null, execution_count = null,
  execution_id = ${sql.placeholder('id')}, executed_by_id = ${sql.placeholder('userId')}
  where file_id = ${sql.placeholder('fileId')} and id = ${sql.placeholder('cellId')}`);

/** From now on the cell shows what this execution says. */
const noting =
  (address: Address, job: JobRow, user: PersonSummary | null) =>
  ({ tx, last, publish }: Write, execution: ExecutionRow): void => {
    last(() => tx.execute(showing(job)).execute());
    // What has ended already is about to leave the queue.
    if (!execution.endedAt) {
      last(() => tx.update(notebookJobs).set({ state: 'running' }).where(eq(notebookJobs.id, job.id)).execute());
    }
    const told = { cell_id: job.cellId, execution: cellExecutionView(execution, user) };
    publish(message(topics.notebook, { ...address }, 'cell_executed', told));
  };

export interface Ahead {
  sessionId: string;
  longestMs: number | null;
}

async function prepare(ctx: Context, { row }: LiveSession): Promise<Ahead> {
  // A file that was changed a moment before is there as it is now.
  const [longestMs] = await Promise.all([longestRunMs(ctx, row.userId), keeperOf(ctx).refreshFiles(row.id)]);
  return { sessionId: row.id, longestMs };
}

/** How many cells may run at once in this kernel. */
export const roomIn = (ctx: Context, live: LiveSession | null): number =>
  live?.row.features.includes('subshells') ? ctx.config.kernels.parallelCells : 1;

/** In the name of who asked for it, wherever that person is by now. */
export const actingFor = (ctx: Context, userId: string): Context => ({ ...ctx, actor: { ...ctx.actor, userId } });

async function showReason(ctx: Context, address: Address, cellId: string, reason: string): Promise<void> {
  const output: CellOutput = { output_type: 'error', ename: 'Not run', evalue: reason, traceback: [] };
  await ctx.write(async (write) => {
    await lockRow(write, address);
    await write.tx
      .update(notebookCells)
      .set({ shown: 'own', outputs: [output], executionId: null, executionCount: null })
      .where(and(eq(notebookCells.fileId, address.fileId), eq(notebookCells.id, cellId)));
    const shown = {
      execution_count: null,
      execution: null,
      outputs: [output],
      outputs_total: 1,
      outputs_bytes: reason.length,
    };
    const change = { cells: [], deleted_ids: [], head: null, cleared_ids: [], shown: { [cellId]: shown } };
    write.publish(message(topics.notebook, { ...address }, 'document_changed', { ...change, user: null }));
    await markChanged(ctx, write, address);
  });
}

const leavingQueue = finished(sql`delete from ${notebookJobs} where id = ${sql.placeholder('id')}`);
const numbering = finished(sql`update ${notebookCells}
  set execution_count = (select execution_count from ${executions} where id = ${sql.placeholder('id')})
  where file_id = ${sql.placeholder('fileId')} and execution_id = ${sql.placeholder('id')}`);

async function finish(ctx: Context, address: Address, job: JobRow, outcome: Outcome): Promise<void> {
  await ctx.write(async (write) => {
    const { last, tx } = write;
    const isLocked = lockRow(write, address);
    last(() => tx.execute(leavingQueue(job)).execute());
    last(() => tx.execute(numbering(job)).execute());
    last(() => markChanged(ctx, write, address));
    await tellQueue(write, address, [], [job.id]);
    await isLocked;
    if (outcome.state !== 'ok') await dropBatch(write, address, job.batchId);
  });
}

/** First, as everybody who changes a notebook does: else two wait for each other. */
const lockRow = ({ tx }: Write, address: Address) => tx.execute(locking(address)).execute();
const locking = finished(sql`select from ${notebooks} where file_id = ${sql.placeholder('fileId')} for update`);

const runners = new WeakMap<Context['kernels'], NotebookRunner>();

export function notebookRunnerOf(ctx: Context): NotebookRunner {
  const runner = runners.get(ctx.kernels);
  if (!runner) throw new Error('The notebooks have not been started');
  return runner;
}

export async function startNotebookRunner(ctx: Context): Promise<NotebookRunner> {
  const runner = new NotebookRunner(ctx);
  runners.set(ctx.kernels, runner);
  await runner.start();
  return runner;
}
