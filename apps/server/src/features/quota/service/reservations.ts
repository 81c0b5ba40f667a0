import { eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { users } from '../../users/table.ts';
import { quotaBalances, quotaReservations } from '../table.ts';
import { limitReached } from './limit-reached.ts';
import { executionLimitSql } from './limits.ts';
import { close, draw } from './moves.ts';
import { guestPeriod, monthOf } from './periods.ts';
import { quotaOf, tellQuota } from './quota.ts';
import { wholeMs } from './whole-ms.ts';

export interface ReserveOptions {
  /** Made by the caller: asking again with it reserves nothing more. */
  id: string;
  userId: string;
  wantedMs: number;
  /** Less than this is as good as nothing; by default anything is taken. */
  minimumMs?: number;
}

/** Sets time aside before it is used. Grants what is left, up to what is wanted, or refuses with what to do. */
export async function reserve(ctx: Context, write: Write, options: ReserveOptions): Promise<{ grantedMs: number }> {
  const { id, userId } = options;
  const wantedMs = Math.max(wholeMs(options.wantedMs), 1);
  const minimumMs = Math.min(Math.max(wholeMs(options.minimumMs ?? 1), 1), wantedMs);
  // A refusal must leave nothing behind, also for a caller who goes on with the transaction.
  const granted = await write.tx
    .transaction(async (tx) => {
      if (!(await claim(ctx, tx, options))) return null;
      const drawn = await drawBoth(ctx, tx, id, wantedMs);
      if (drawn < minimumMs) throw new NotEnough();
      return drawn;
    })
    .catch(async (error: unknown) => {
      throw error instanceof NotEnough ? limitReached(await quotaOf(ctx, userId, write.tx)) : error;
    });
  if (granted === null) return { grantedMs: await grantedBefore(write, options) };
  await tellQuota(ctx, write, userId);
  return { grantedMs: granted };
}

class NotEnough extends Error {}

/** The id is taken by whoever inserts it first; the period is the person's at this moment. */
async function claim(ctx: Context, tx: Write['tx'], { id, userId }: ReserveOptions): Promise<boolean> {
  const now = sql`${ctx.now().toISOString()}::timestamptz`;
  const rows = rowsOf(
    await tx.execute(sql`
    with claimed as (
      insert into ${quotaReservations} (id, user_id, period, created_at, heartbeat_at)
      select ${id}::uuid, u.id, case when u.is_guest then ${guestPeriod} else ${monthOf(ctx.now())} end, ${now}, ${now}
      from ${users} u where u.id = ${userId}
      on conflict (id) do nothing returning user_id, period
    ), opened as (
      insert into ${quotaBalances} (user_id, period, total_ms)
      select u.id, claimed.period, ${executionLimitSql} from claimed join ${users} u on u.id = claimed.user_id
      on conflict do nothing
    ) select 1 from claimed`),
  );
  return rows.length > 0;
}

async function grantedBefore({ tx }: Write, { id, userId }: ReserveOptions): Promise<number> {
  const [row] = await tx.select().from(quotaReservations).where(eq(quotaReservations.id, id));
  if (!row) throw notFound('This person');
  if (row.userId !== userId || row.state === 'settled') {
    throw new AppError('conflict', 'This reservation has ended, or belongs to someone else. Create another one.');
  }
  return row.reservedMs;
}

async function drawBoth(ctx: Context, tx: Write['tx'], id: string, wantedMs: number): Promise<number> {
  const own = await draw(ctx, tx, id, 'own', wantedMs);
  return own < wantedMs ? own + (await draw(ctx, tx, id, 'extension', wantedMs - own)) : own;
}

/** More time for a run that goes on; 0 when there is none, or when the reservation is settled. */
export async function extend(ctx: Context, write: Write, id: string, wantedMs: number): Promise<{ grantedMs: number }> {
  const grantedMs = await drawBoth(ctx, write.tx, id, wholeMs(wantedMs));
  if (grantedMs > 0) await tellOwner(ctx, write, id);
  return { grantedMs };
}

/**
 * Books what was used, at most what is reserved, and gives the rest back, in the period it was reserved in. Once: later
 * calls answer what was booked, and nothing of the extension again. Null when there is no such reservation, such as one that was never committed.
 */
export async function settle(
  ctx: Context,
  write: Write,
  id: string,
  usedMs: number,
  reason: string,
): Promise<{ usedMs: number; extensionMs: number } | null> {
  const used = sql`${wholeMs(usedMs)}::bigint`;
  for (;;) {
    const closed = await close(ctx, write.tx, id, { used, reason });
    if (closed) {
      await tellQuota(ctx, write, closed.userId);
      return { usedMs: closed.usedMs, extensionMs: closed.extensionMs };
    }
    const [row] = await write.tx.select().from(quotaReservations).where(eq(quotaReservations.id, id));
    // Still open: it went from a guest to an account while we waited for it.
    if (row?.state !== 'reserved') return row ? { usedMs: row.usedMs, extensionMs: 0 } : null;
  }
}

async function tellOwner(ctx: Context, write: Write, id: string): Promise<void> {
  const [row] = await write.tx.select().from(quotaReservations).where(eq(quotaReservations.id, id));
  if (row) await tellQuota(ctx, write, row.userId);
}
