import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { topicName, topics } from '@atoll/contract';
import { NotANotebook } from '@atoll/notebook';
import { and, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { nobody } from '../../../platform/actor.ts';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, storageFailure } from '../../../platform/errors.ts';
import type { StopOptions } from '../../../platform/feature.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { hasNoJob, type JobKind } from '../../../platform/jobs/enqueue.ts';
import { jobsTable } from '../../../platform/jobs/table.ts';
import { turnstile } from '../../../platform/turnstile.ts';
import { assertSeen } from '../../files/service/changes.ts';
import { kernelSessionsOf } from '../../kernels/service/kernel-sessions.ts';
import { longestRunMs } from '../../kernels/service/lease.ts';
import type { LiveSession, StopReason } from '../../kernels/service/live-session.ts';
import type { Outcome } from '../../kernels/service/running-execution.ts';
import { executions, kernelSessions } from '../../kernels/table.ts';
import { type RunRow, runs } from '../table.ts';
import { type Plan, type PlannedCell, planOf, resultOf } from './plan.ts';
import { executionsOf } from './read.ts';
import { endRun, progressRun, stoppedByHand } from './store.ts';

type Ending = Pick<Outcome, 'state' | 'reason'>;
const finished: StopReason = { reason: 'finished', message: 'The run has ended.' };
const secretsWithheld = {
  shared:
    'Your secrets were left out because other people can change this project. Start the run with secrets to include them.',
  unread:
    'Your secrets were left out because this project came from another owner. Read its code and accept it on the page of the project.',
};
const endAttempts = 30;
const maxResult = 200 * 1024 ** 2;
/** Kernels that start at the same time: with more each takes longer, and so does everything else on the machine. */
const startsAtOnce = 2 * availableParallelism();

const sessionOf = (run: RunRow): Parameters<ReturnType<typeof kernelSessionsOf>['open']>[0] => ({
  userId: run.starterId ?? '',
  projectId: run.projectId,
  fileId: run.fileId,
  kernel: run.kernel,
  tier: run.tier,
  purpose: 'run',
  savesFiles: run.savesFiles,
  leaseId: run.leaseId,
  isConsented: run.isWithSecrets,
  async noted({ tx }, sessionId, { withheld }) {
    const notices = withheld ? [secretsWithheld[withheld]] : [];
    const isOurs = and(eq(runs.id, run.id), eq(runs.serverId, run.serverId));
    const noted = await tx.update(runs).set({ sessionId, notices }).where(isOurs).returning({ id: runs.id });
    if (noted.length === 0) throw new AppError('service_unavailable', 'Another server begins this run.');
  },
});

/** Carries runs out, one cell after the other, and takes up what an earlier life of this server has begun. */
export class Runner {
  readonly #ctx: Context;
  readonly #executions = new Set<Promise<void>>();
  readonly #endings = new Set<Promise<void>>();
  #isStopping = false;
  readonly #starting = turnstile(startsAtOnce);

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async start(): Promise<void> {
    const mine = await this.#ctx.db
      .select()
      .from(runs)
      .where(and(eq(runs.serverId, await this.#ctx.kernels.serverId()), isNull(runs.endedAt)));
    for (const run of mine) this.begin(run);
    // Of runs that came to their end in the moment before the server did.
    const wanted = new Set(mine.map(({ sessionId }) => sessionId));
    for (const live of kernelSessionsOf(this.#ctx).sessions) {
      if (live.row.purpose === 'run' && !wanted.has(live.row.id)) void live.stop(finished);
    }
  }

  /** One that comes while the server is being stopped is begun when it starts again. */
  begin(run: RunRow): void {
    if (this.#isStopping) return;
    const going = this.#carryOut(run).catch((error: unknown) => {
      this.#ctx.log.error({ error, run: run.id }, 'A run failed');
    });
    this.#executions.add(going);
    void going.finally(() => this.#executions.delete(going));
  }

  /** After the kernels have ended: every run has its end stored; or, where they are kept, every run that came to it. */
  async stop({ keepsKernels }: StopOptions): Promise<void> {
    this.#isStopping = true;
    if (keepsKernels) await this.#giveAwayUnbegun();
    await Promise.all(keepsKernels ? this.#endings : this.#executions);
  }

  /** Runs without a kernel are begun by whichever server is there first. */
  async #giveAwayUnbegun(): Promise<void> {
    await this.#ctx.write(async ({ tx, enqueue }) => {
      const isMine = eq(runs.serverId, await this.#ctx.kernels.serverId());
      const given = await tx
        .update(runs)
        .set({ serverId: nobody })
        .where(and(isMine, isNull(runs.endedAt), isNull(runs.sessionId)))
        .returning({ id: runs.id });
      for (const { id } of given) await enqueue(beginKind, { run_id: id }, { key: id });
    });
  }

  async beginGivenAway(runId: string): Promise<void> {
    const [run] = await this.#ctx.db
      .update(runs)
      .set({ serverId: await this.#ctx.kernels.serverId() })
      .where(and(eq(runs.id, runId), eq(runs.serverId, nobody), isNull(runs.endedAt)))
      .returning();
    if (run) this.begin(run);
  }

  async #carryOut(run: RunRow): Promise<void> {
    let live: LiveSession | null = null;
    let plan: Plan | null = null;
    let ending: Ending;
    try {
      plan = await planOf(this.#ctx, run);
      live = await this.#session(run);
      ending = live ? await this.#cells(run, live, plan.cells) : await this.#lostEnding(run);
    } catch (error) {
      if (kernelSessionsOf(this.#ctx).isLeaving) return;
      ending = { state: 'error', reason: this.#explain(error, run) };
    }
    const ended = this.#end(run, live, plan, ending);
    this.#endings.add(ended);
    await ended.finally(() => this.#endings.delete(ended));
  }

  async #session(run: RunRow): Promise<LiveSession | null> {
    const sessions = kernelSessionsOf(this.#ctx);
    if (run.sessionId && !(await this.#isUnbegun(run))) return sessions.find(run.sessionId);
    const live = await this.#starting(() => sessions.open(sessionOf(run)));
    const { starterId: userId, projectId, requiredReview: requires } = run;
    // Its files were read after it was started, and may have been changed in between.
    if (userId && requires)
      await assertSeen(this.#ctx.db, { userId, projectId, requires }).catch(async (error) => {
        await live.stop(finished);
        throw error;
      });
    return live;
  }

  /** Its kernel was lost with the server before anything of it was executed. */
  async #isUnbegun({ id, sessionId }: RunRow): Promise<boolean> {
    const [session] = await this.#ctx.db
      .select({ endReason: kernelSessions.endReason })
      .from(kernelSessions)
      .where(eq(kernelSessions.id, sessionId ?? id));
    return session?.endReason === 'lost' && (await executionsOf(this.#ctx.db, id)).length === 0;
  }

  async #cells(run: RunRow, live: LiveSession, cells: PlannedCell[]): Promise<Ending> {
    const ctx = this.#ctx;
    const longestMs = await longestRunMs(ctx, run.starterId ?? '');
    if (run.cellsTotal === null) await progressRun(ctx, run.id, { cellsTotal: cells.length });
    for (const [index, cell] of cells.entries()) {
      const [now] = await ctx.db.select({ stop: runs.stopRequestedAt }).from(runs).where(eq(runs.id, run.id));
      if (now?.stop) return { state: 'aborted', reason: stoppedByHand };
      // The plan's longest run is the whole of it.
      const leftMs = longestMs === null ? null : Math.max(0, longestMs - live.time.usedMs);
      const outcome = await this.#cell(run, live, cell, leftMs);
      if (outcome.state === 'aborted') return outcome;
      if (outcome.state === 'error' && !(cell.mayFail && live.row.endedAt === null)) {
        const place = cells.length > 1 ? `Cell ${cell.number}: ` : '';
        return { state: 'error', reason: `${place}${outcome.reason}` };
      }
      await progressRun(ctx, run.id, { cellsDone: index + 1 });
    }
    return { state: 'ok', reason: null };
  }

  /** Runs a cell, or waits for one that an earlier life of the server has begun; none is run twice. */
  async #cell(run: RunRow, live: LiveSession, cell: PlannedCell, longestMs: number | null): Promise<Outcome> {
    // First here, then there: what is no longer here has been stored.
    const going = live.goingOf(run.id, cell.key);
    if (going) {
      await live.ensure(going.id, cell.code);
      return going.finished;
    }
    const [known] = await this.#ctx.db
      .select()
      .from(executions)
      .where(and(eq(executions.batchId, run.id), eq(executions.cell, cell.key)));
    if (known?.endedAt)
      return { state: known.state as Outcome['state'], reason: known.reason, errorName: known.errorName };
    const topic = topicName(topics.run, { projectId: run.projectId, runId: run.id });
    const input = { id: newId(), code: cell.code, batchId: run.id, cell: cell.key, topic, longestMs };
    return live.execute(input);
  }

  /** Its kernel has ended while nobody was looking. */
  async #lostEnding(run: RunRow): Promise<Ending> {
    const [session] = await this.#ctx.db
      .select()
      .from(kernelSessions)
      .where(eq(kernelSessions.id, run.sessionId ?? run.id));
    return { state: 'error', reason: session?.endMessage ?? 'The kernel stopped. Run it again.' };
  }

  async #end(run: RunRow, live: LiveSession | null, plan: Plan | null, ending: Ending): Promise<void> {
    const ctx = this.#ctx;
    const notices = live ? await this.#saved(live) : [];
    const resultBlob = plan?.base != null ? await this.#result(run, plan, notices) : null;
    const end = { status: ending.state, reason: ending.reason, notices, resultBlob, isUnused: live === null };
    try {
      // A database that is away for a moment must not leave a run without its end.
      for (let attempt = 1; ; attempt++) {
        const isEnded = await endRun(ctx, run.id, end).then(
          () => true,
          (error: unknown) => {
            ctx.log.error({ error, run: run.id }, 'The end of a run could not be stored');
            return false;
          },
        );
        if (isEnded || attempt >= endAttempts) return;
        await wait(attempt * 1_000);
      }
    } finally {
      await live?.stop(finished);
    }
  }

  async #saved(live: LiveSession): Promise<string[]> {
    try {
      return await kernelSessionsOf(this.#ctx).saveFiles(live.row.id, { isFinal: true });
    } catch (error) {
      this.#ctx.log.error({ error, session: live.row.id }, 'What code wrote could not be saved');
      return ['The files written by the code could not be saved. Run it again.'];
    }
  }

  async #result(run: RunRow, plan: Plan, notices: string[]): Promise<string | null> {
    if (plan.base === null) return null;
    try {
      const content = resultOf(plan.base, await executionsOf(this.#ctx.db, run.id));
      const { sha256 } = await this.#ctx.blobs.put(Readable.from([Buffer.from(content)]), maxResult);
      return sha256;
    } catch (error) {
      this.#ctx.log.error({ error, run: run.id }, 'The result of a run could not be stored');
      notices.push('The file with outputs could not be created.');
      return null;
    }
  }

  #explain(error: unknown, run: RunRow): string {
    if (error instanceof NotANotebook) return `The notebook cannot be read. ${error.message}`;
    if (error instanceof AppError) return error.message;
    this.#ctx.log.error({ error, run: run.id }, 'A run could not be carried out');
    const failure = storageFailure(error);
    if (failure) return failure.message;
    return this.#isStopping ? 'The server was stopped during the run. Run it again.' : 'Internal error. Run it again.';
  }
}

export const runnerOf = appState((system) => new Runner(system));

interface BeginPayload {
  run_id: string;
}

const beginKind: JobKind<BeginPayload> = {
  kind: 'runs.begin',
  payload: z.object({ run_id: z.uuid() }),
};

export const beginJob = defineJob({
  ...beginKind,
  concurrency: 8,
  run: ({ ctx, payload }) => runnerOf(ctx).beginGivenAway(payload.run_id),
});

const goneMs = 2 * 60_000;

/** Runs of a server that never came back: their kernels have ended, or there never was one. */
export async function sweepRuns(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - goneMs);
  const gone = await ctx.db
    .select({ id: runs.id, session: kernelSessions })
    .from(runs)
    .leftJoin(kernelSessions, eq(kernelSessions.id, runs.sessionId))
    .where(
      and(
        isNull(runs.endedAt),
        ne(runs.serverId, await ctx.kernels.serverId()),
        hasNoJob(ctx.db, [beginKind], sql`${jobsTable.payload} ->> 'run_id' = ${runs.id}::text`),
        or(lt(kernelSessions.endedAt, before), and(isNull(kernelSessions.id), lt(runs.startedAt, before))),
      ),
    );
  for (const { id, session } of gone) {
    const reason = session?.endMessage ?? 'The server it ran on has stopped. Run it again.';
    // What its kernel has used, if it had one, is settled with that.
    await endRun(ctx, id, { status: 'error', reason, notices: [], resultBlob: null, isUnused: true });
  }
}
