import { appState } from '../../../../platform/app-state.ts';
import type { Context } from '../../../../platform/context.ts';
import type { StopOptions } from '../../../../platform/feature.ts';
import { kernelSessionsOf } from '../../../kernels/service/kernel-sessions.ts';
import { requestStop } from '../../../kernels/service/servers.ts';
import type { JobRow } from '../../table.ts';
import type { Address } from '../address.ts';
import { Restarts, restartKernel } from '../kernel/restarts.ts';
import { sessionOf, storedSession } from '../kernel/session.ts';
import { type Ahead, CellRuns, prepare } from './cell-runs.ts';
import { abandoned, type Ownership, otherOwner, ownershipOf, takeOver } from './owner.ts';
import type { First } from './queue.ts';
import { leftHere, nextJob } from './waiting.ts';

/** A request of one server to another that has the notebook. */
interface Act {
  address: Address;
  act: 'ping' | 'wake' | 'interrupt' | 'reply' | 'restart';
  args: (string | null)[];
}
const subject = 'notebook.act';
const beatMs = 2_000;

/**
 * Runs the queues of this server's notebooks: one cell of each notebook after the other, or several at once where the
 * notebook is set to that and its kernel can. Cells of one batch keep their order even then.
 */
export class NotebookRunner {
  /** The server's own context, because work after a transaction must not use that one. */
  readonly #ctx: Context;
  readonly #restarts = new Restarts();
  readonly #cells: CellRuns;
  readonly #loops = new Map<string, Promise<void>>();
  /** Notebooks that were woken while their loop was about to end, or while it waits for running cells. */
  readonly #again = new Set<string>();
  readonly #wakers = new Map<string, () => void>();
  readonly #owned: Ownership;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> | null = null;
  #isStopping = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#owned = ownershipOf(ctx);
    this.#cells = new CellRuns(ctx, this.#restarts);
  }

  /** Resumes the work of an earlier life of this server. */
  async start(): Promise<void> {
    this.#ctx.peers.answer(subject, async (payload) => this.#asked(payload as unknown as Act));
    await this.#owned.recall();
    for (const address of await leftHere(this.#ctx)) {
      await this.#cells.noteResumed(address);
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

  async #beat(): Promise<void> {
    const inUse = new Set(
      kernelSessionsOf(this.#ctx).sessions.map(({ row }) => row.purpose === 'notebook' && row.fileId),
    );
    await this.#owned.keep((fileId) => this.#loops.has(fileId) || inUse.has(fileId));
    // Finds work whose wake command from another server was lost.
    for (const address of await leftHere(this.#ctx)) if (!this.#loops.has(address.fileId)) this.wake(address);
    for (const address of await abandoned(this.#ctx)) await takeOver(this.#ctx, address);
  }

  async stop({ keepsKernels }: StopOptions): Promise<void> {
    this.#isStopping = true;
    this.#cells.stop();
    if (this.#timer) clearInterval(this.#timer);
    for (const wake of this.#wakers.values()) wake();
    await this.#beating;
    await (keepsKernels ? this.#cells.finished() : Promise.all(this.#loops.values()));
    await this.#owned.release({ keepsKernels });
  }

  /**
   * Prepares the notebook's kernel before a cell is run, in parallel with the read of that cell's place in the queue: the
   * embedded database has one connection, on which it would come after all of that.
   */
  async ahead(ctx: Context, { fileId }: Address): Promise<Ahead | null> {
    const live = kernelSessionsOf(this.#ctx).sessions.find(({ row, isEnding }) => row.fileId === fileId && !isEnding);
    return live && live.row.purpose === 'notebook' ? prepare(ctx, live).catch(() => null) : null;
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

  /** Interrupts all running cells, or one of them. */
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

  /** The server that has the session regularly checks for requested stops. */
  end(address: Address, why: string): void {
    storedSession(this.#ctx, address)
      .then((session) => session && requestStop(this.#ctx, session.id, { reason: 'stopped', message: why }))
      .catch((error: unknown) => this.#complain(error, address, 'A kernel could not be stopped'));
  }

  /** Runs the command here, or on the server that has the notebook. */
  async #atOwner(address: Address, act: Act['act'], args: (string | null)[], here: () => Promise<void>): Promise<void> {
    const owner = this.#owned.has(address.fileId) ? null : await otherOwner(this.#ctx, address);
    if (owner) await this.#ctx.peers.ask(owner, subject, { address: { ...address }, act, args });
    else await here();
  }

  /** Runs a command that another server received from a person there. */
  #asked({ address, act, args: [arg = null] }: Act): null {
    if (act === 'wake') this.wake(address);
    else if (act === 'interrupt') this.interrupt(address, arg);
    else if (act === 'reply') this.reply(address, arg ?? '');
    else if (act === 'restart') this.restart(address, arg);
    return null;
  }

  /** Restarts the kernel without its state; new runs wait for it. */
  restart(address: Address, userId: string | null): void {
    const restarting = this.#atOwner(address, 'restart', [userId], () => restartKernel(this.#ctx, address, userId));
    this.#restarts.add(
      address.fileId,
      restarting.catch((error: unknown) => this.#complain(error, address, 'A kernel could not be restarted')),
    );
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
        // The cell that was begun last was alone in the queue.
        if (isAlone && !isAgain) {
          isAlone = false;
          await woken.promise;
          continue;
        }
        if (!(await this.#owned.claim(address))) return await this.#passOn(address);
        const next =
          first ??
          (await nextJob(
            this.#ctx,
            address,
            [...running.values()].map(({ job }) => job),
          ));
        isAlone = first !== undefined && !first.isParallel;
        first = undefined;
        if (next) {
          const { job } = next;
          const done = this.#cells.runToEnd(address, next).finally(() => {
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

  /** Another server runs this notebook: this one sends it a wake command. */
  async #passOn(address: Address): Promise<void> {
    await this.#restarts.of(address.fileId);
    const owner = await otherOwner(this.#ctx, address);
    if (owner) await this.#ctx.peers.ask(owner, subject, { address: { ...address }, act: 'wake', args: [] });
  }
}

export const notebookRunnerOf = appState((system) => new NotebookRunner(system));
