import { eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { runLimitsOf } from '../../quota/service/limits.ts';
import { extend, reserve, settle } from '../../quota/service/reservations.ts';
import { quotaReservations } from '../../quota/table.ts';
import { findUser } from '../../users/service.ts';
import { type KernelSessionRow, kernelSessions } from '../table.ts';

/** So much execution time is set aside at once; enough for a run to go on while its server is away. */
const chunkMs = 15 * 60_000;
/** With less than this left, more is asked for. */
const lowMs = chunkMs - 3 * 60_000;

export interface TimeLimit {
  /** From the execution's beginning. */
  limitMs: number | null;
  /** What to say when it is reached. */
  message: string;
}

/** Sets time aside for whoever is about to run something; refuses, with what to do, when there is none. */
export async function reserveLease(ctx: Context, write: Write, id: string, userId: string): Promise<void> {
  await reserve(ctx, write, { id, userId, wantedMs: chunkMs });
}

/** The execution time one session lives on. */
export class Lease {
  readonly id: string;
  readonly #sessionId: string;
  readonly userId: string;
  /** What the session had used before. */
  readonly baseMs: number;
  /** As it was noted with the last heartbeat. */
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

  /** The one that is noted in the session. */
  static async of(ctx: Context, session: KernelSessionRow): Promise<Lease | null> {
    const [row] = await ctx.db
      .select()
      .from(quotaReservations)
      .where(eq(quotaReservations.id, session.leaseId ?? session.id));
    return row?.state === 'reserved' ? new Lease(session, row) : null;
  }

  /** A new one, noted in the session. */
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

  /** Asks for more when little is left; true when the limit of what runs has changed. */
  async renew(ctx: Context, usedMs: number): Promise<boolean> {
    if (this.#isExhausted || this.leftMs(usedMs) > lowMs) return false;
    const { grantedMs } = await ctx.write((write) => extend(ctx, write, this.id, chunkMs));
    this.#grantedMs += grantedMs;
    this.#isExhausted = grantedMs === 0;
    return grantedMs > 0;
  }

  settle = (ctx: Context, write: Write, usedMs: number, reason: string) =>
    this.#book(ctx, write, Math.max(0, usedMs - this.baseMs), reason);

  /** For a kernel that is gone: nobody knows what came after the last heartbeat. */
  settleNoted = (ctx: Context, write: Write, reason: string) => this.#book(ctx, write, this.#notedMs, reason);

  /** What was taken from the extension is what the session cost. */
  async #book(ctx: Context, write: Write, usedMs: number, reason: string): Promise<void> {
    const booked = await settle(ctx, write, this.id, usedMs, reason);
    if (booked?.extensionMs)
      await write.tx
        .update(kernelSessions)
        .set({ extensionMs: sql`${kernelSessions.extensionMs} + ${booked.extensionMs}::bigint` })
        .where(eq(kernelSessions.id, this.#sessionId));
  }

  /** How long an execution may take that has taken `elapsedMs` so far; `longestMs` is what the plan allows it. */
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

/** What a plan lets one run or cell take. */
export async function longestRunMs(ctx: Context, userId: string): Promise<number | null> {
  const user = await findUser(ctx.db, userId);
  return user ? runLimitsOf(user).longestRunMs : 0;
}
