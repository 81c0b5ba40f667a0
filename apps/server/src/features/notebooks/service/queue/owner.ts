import { topics } from '@atoll/contract';
import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, notExists, or } from 'drizzle-orm';
import { appState } from '../../../../platform/app-state.ts';
import type { Context } from '../../../../platform/context.ts';
import type { StopOptions } from '../../../../platform/feature.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { endLost } from '../../../kernels/service/end-lost.ts';
import { kernelSessions } from '../../../kernels/table.ts';
import { notebookJobs, notebooks } from '../../table.ts';
import type { Address } from '../address.ts';
import { kernelView } from '../kernel/kernel-view.ts';
import { publishQueue } from './queue-view.ts';

/** A server that does not renew its lease for so long is gone; a restarted server is back sooner. */
const leaseMs = 60_000;
const renewMs = 15_000;
/** By its own clock the owner stops this long before others may take over. */
const marginMs = 20_000;
const freshMs = 10_000;

const gone = 'The server it ran on has stopped. Run it again.';

/** The notebooks whose cells this server runs. Each has one owner, set by one statement that only one server can win. */
export class Ownership {
  readonly #ctx: Context;
  /** The time until which each notebook surely belongs to this server, by this process's clock. */
  readonly #until = new Map<string, number>();
  /** Serialises claims and releases, so that a release does not undo a recent claim. */
  #changing: Promise<unknown> = Promise.resolve();
  #renewedAt = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  has = (fileId: string): boolean => (this.#until.get(fileId) ?? 0) > performance.now();

  /** Loads the notebooks that an earlier life of this server had. */
  async recall(): Promise<void> {
    const mine = await this.#ctx.db
      .select({ fileId: notebooks.fileId })
      .from(notebooks)
      .where(eq(notebooks.ownerId, await this.#ctx.kernels.serverId()));
    for (const { fileId } of mine) this.#until.set(fileId, 0);
  }

  /** False when another server has it. */
  async claim(address: Address): Promise<boolean> {
    if (this.has(address.fileId)) return true;
    return this.#change(async () => {
      if (await this.#take(address)) return true;
      // The owner may be gone.
      return (await otherOwner(this.#ctx, address)) === null && this.#take(address);
    });
  }

  /** Renews the leases of notebooks in use, and releases the others. */
  async keep(isUsed: (fileId: string) => boolean): Promise<void> {
    if (this.#until.size === 0 || performance.now() - this.#renewedAt < renewMs) return;
    await this.#change(async () => {
      this.#renewedAt = performance.now();
      const all = [...this.#until];
      const used = all.flatMap(([fileId]) => (isUsed(fileId) ? fileId : []));
      const renewed = await this.#renew(used);
      for (const fileId of used) if (!renewed.includes(fileId)) this.#until.delete(fileId);
      // A recently claimed notebook may be about to be used.
      const unused = all.flatMap(([fileId, until]) =>
        isUsed(fileId) || until > performance.now() + freshMs ? [] : fileId,
      );
      for (const fileId of unused) this.#until.delete(fileId);
      const isOurs = and(await this.#mine(), inArray(notebooks.fileId, unused));
      if (unused.length > 0) await this.#ctx.db.update(notebooks).set(nobody).where(isOurs);
    });
  }

  /**
   * Releases notebooks before this server ends, except those it resumes in its next life. Where kernels survive, these are
   * the ones with a kernel; another server runs cells that wait for one.
   */
  async release({ keepsKernels }: StopOptions): Promise<void> {
    await this.#change(async () => {
      const { db } = this.#ctx;
      const isLive = and(eq(kernelSessions.id, notebooks.sessionId), isNull(kernelSessions.endedAt));
      const kept = keepsKernels
        ? db.select().from(kernelSessions).where(isLive)
        : db.select().from(notebookJobs).where(eq(notebookJobs.fileId, notebooks.fileId));
      await db
        .update(notebooks)
        .set(nobody)
        .where(and(await this.#mine(), notExists(kept)));
      // The next life has the full lease time to come back.
      await this.#renew([...this.#until.keys()]);
      this.#until.clear();
    });
  }

  #mine = async () => eq(notebooks.ownerId, await this.#ctx.kernels.serverId());

  async #take({ fileId }: Address): Promise<boolean> {
    const free = or(isNull(notebooks.ownerId), await this.#mine());
    return (await this.#own(and(eq(notebooks.fileId, fileId), free))).length > 0;
  }

  #renew = async (fileIds: string[]): Promise<string[]> =>
    fileIds.length > 0 ? this.#own(and(await this.#mine(), inArray(notebooks.fileId, fileIds))) : [];

  async #own(which: ReturnType<typeof and>): Promise<string[]> {
    const began = performance.now();
    const ownerId = await this.#ctx.kernels.serverId();
    const ownedUntil = new Date(this.#ctx.now().getTime() + leaseMs);
    const rows = await this.#ctx.db
      .update(notebooks)
      .set({ ownerId, ownedUntil })
      .where(which)
      .returning({ fileId: notebooks.fileId });
    for (const { fileId } of rows) this.#until.set(fileId, began + leaseMs - marginMs);
    return rows.map(({ fileId }) => fileId);
  }

  #change<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }
}

const nobody = { ownerId: null, ownedUntil: null };

export const ownershipOf = appState((system) => new Ownership(system));

/**
 * Returns the other server that has a notebook; null when this server or no server has it. Takes over from a server that is
 * gone.
 */
export async function otherOwner(ctx: Context, address: Address): Promise<string | null> {
  const [row] = await ctx.db
    .select({ ownerId: notebooks.ownerId, ownedUntil: notebooks.ownedUntil })
    .from(notebooks)
    .where(eq(notebooks.fileId, address.fileId));
  if (!row?.ownerId || row.ownerId === (await ctx.kernels.serverId())) return null;
  if (row.ownedUntil && row.ownedUntil > ctx.now()) return row.ownerId;
  await takeOver(ctx, address);
  return null;
}

/** Refuses when the server that has the notebook does not answer; called before any change. */
export async function requireOwner(ctx: Context, address: Address): Promise<void> {
  const owner = ownershipOf(ctx).has(address.fileId) ? null : await otherOwner(ctx, address);
  if (owner) await ctx.peers.ask(owner, 'notebook.act', { address: { ...address }, act: 'ping', args: [] });
}

/**
 * Ends the queue and the kernel of a server that is gone. It is unknown which of the queued cells had begun, and the state
 * they build on is gone with the kernel: no cell of the queue is run, here or, should that server come back, there.
 */
export async function takeOver(ctx: Context, address: Address): Promise<void> {
  const serverId = await ctx.kernels.serverId();
  await ctx.write(async (write) => {
    const { tx } = write;
    const [row] = await tx.select().from(notebooks).where(eq(notebooks.fileId, address.fileId)).for('update');
    if (!row?.ownerId || row.ownerId === serverId || (row.ownedUntil && row.ownedUntil > ctx.now())) return;
    await tx.update(notebooks).set(nobody).where(eq(notebooks.fileId, address.fileId));
    const dropped = await tx
      .delete(notebookJobs)
      .where(eq(notebookJobs.fileId, address.fileId))
      .returning({ id: notebookJobs.id });
    await publishQueue(
      write,
      address,
      [],
      dropped.map(({ id }) => id),
    );
    const isIts = row.sessionId && and(eq(kernelSessions.id, row.sessionId), isNull(kernelSessions.endedAt));
    const [session] = isIts ? await tx.select().from(kernelSessions).where(isIts) : [];
    if (!session) return;
    await endLost(ctx.within(write), session, gone);
    const kernel = await kernelView(tx, row);
    write.publish(message(topics.notebook, { ...address }, 'kernel_changed', { kernel }));
  });
}

/** Returns notebooks of servers that are gone. */
export async function abandoned(ctx: Context): Promise<Address[]> {
  const after = (ms: number) => new Date(ctx.now().getTime() + ms);
  // Shortens leases that the machine's clock made too long when it was set back, to a time in which a living owner renews
  // them.
  await ctx.db
    .update(notebooks)
    .set({ ownedUntil: after(leaseMs) })
    .where(and(isNotNull(notebooks.ownerId), gt(notebooks.ownedUntil, after(2 * leaseMs))));
  return ctx.db
    .select({ projectId: notebooks.projectId, fileId: notebooks.fileId })
    .from(notebooks)
    .where(
      and(
        isNotNull(notebooks.ownerId),
        ne(notebooks.ownerId, await ctx.kernels.serverId()),
        lt(notebooks.ownedUntil, ctx.now()),
      ),
    )
    .limit(20);
}
