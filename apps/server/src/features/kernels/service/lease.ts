import { eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { runLimitsOf } from '../../quota/service/limits.ts';
import { extend, reserve, settle } from '../../quota/service/reservations.ts';
import { quotaReservations } from '../../quota/table.ts';
import { findUser } from '../../users/service.ts';
import { type KernelSessionRow, kernelSessions } from '../table.ts';

/** The execution time reserved at once; enough for a run to continue while its server is away. */
const chunkMs = 15 * 60_000;
/** With less than this left, more time is requested. */
const lowMs = chunkMs - 3 * 60_000;

export interface TimeLimit {
  /** Counted from the execution's beginning. */
  limitMs: number | null;
  /** The message when the limit is reached. */
  message: string;
}

/** Reserves time for a person who is about to run code; when there is none, refuses and names the way on. */
export async function reserveLease(ctx: Context, write: Write, id: string, userId: string): Promise<void> {
  await reserve(ctx, write, { id, userId, wantedMs: chunkMs });
}

/** The reserved execution time of one session. */
export class Lease {
  readonly id: string;
  readonly #sessionId: string;
  readonly userId: string;
  /** The session's used time before this lease. */
  readonly baseMs: number;
  /** The used time as of the last heartbeat. */
  readonly #notedMs: number;
  #grantedMs: number;
  #isExhausted = false;

  private constructor(session: KernelSessionRow, { id, reservedMs, usedMs }: typeof quotaReservations.$inferSelect) {
    this.id = id;
    this.#sessionId = session.id;
    this.#notedMs = usedMs;
    this.userId = session.userId;
    this.baseMs = session.leaseBaseMs;
    this.#grantedMs = reservedMs;
  }

  /** The lease stored with the session. */
  static async of(ctx: Context, session: KernelSessionRow): Promise<Lease | null> {
    const [row] = await ctx.db
      .select()
      .from(quotaReservations)
      .where(eq(quotaReservations.id, session.leaseId ?? session.id));
    return row?.state === 'reserved' ? new Lease(session, row) : null;
  }

  /** Opens a new lease, stored with the session. */
  static async open(ctx: Context, session: KernelSessionRow, id: string, usedMs: number): Promise<Lease> {
    const leaseBaseMs = Math.round(usedMs);
    await ctx.write(async (write) => {
      await reserveLease(ctx, write, id, session.userId);
      await write.tx.update(kernelSessions).set({ leaseId: id, leaseBaseMs }).where(eq(kernelSessions.id, session.id));
    });
    Object.assign(session, { leaseId: id, leaseBaseMs });
    const lease = await Lease.of(ctx, session);
    if (!lease) throw new Error('The execution time was not set aside');
    return lease;
  }

  leftMs = (usedMs: number): number => this.#grantedMs - (usedMs - this.baseMs);

  /** Requests more time when little is left; true when the limit of the running executions has changed. */
  async renew(ctx: Context, usedMs: number): Promise<boolean> {
    if (this.#isExhausted || this.leftMs(usedMs) > lowMs) return false;
    const { grantedMs } = await ctx.write((write) => extend(ctx, write, this.id, chunkMs));
    this.#grantedMs += grantedMs;
    this.#isExhausted = grantedMs === 0;
    return grantedMs > 0;
  }

  settle = (ctx: Context, write: Write, usedMs: number, reason: string) =>
    this.#book(ctx, write, Math.max(0, usedMs - this.baseMs), reason);

  /** For a kernel that has ended: the time after the last heartbeat is not known. */
  settleNoted = (ctx: Context, write: Write, reason: string) => this.#book(ctx, write, this.#notedMs, reason);

  /** Books the time; the part taken from the extension is the session's cost. */
  async #book(ctx: Context, write: Write, usedMs: number, reason: string): Promise<void> {
    const booked = await settle(ctx, write, this.id, usedMs, reason);
    if (booked?.extensionMs)
      await write.tx
        .update(kernelSessions)
        .set({ extensionMs: sql`${kernelSessions.extensionMs} + ${booked.extensionMs}::bigint` })
        .where(eq(kernelSessions.id, this.#sessionId));
  }

  /** The time limit of an execution that has taken `elapsedMs` so far; the plan allows it `longestMs`. */
  limit(usedMs: number, elapsedMs: number, longestMs: number | null): TimeLimit {
    const byLease = Math.max(0, Math.floor(elapsedMs + this.leftMs(usedMs)));
    if (longestMs !== null && longestMs <= byLease) {
      return { limitMs: longestMs, message: 'The run took longer than your plan allows.' };
    }
    return {
      limitMs: byLease,
      message: 'Limit reached: upgrade, buy execution time or wait until next month.',
    };
  }
}

/** The longest time that a plan allows one run or cell. */
export async function longestRunMs(ctx: Context, userId: string): Promise<number | null> {
  const user = await findUser(ctx.db, userId);
  return user ? runLimitsOf(user).longestRunMs : 0;
}
