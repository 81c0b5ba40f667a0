import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { quotaBalances, quotaReservations } from '../table.ts';
import { close } from './moves.ts';
import { tellQuota } from './quota.ts';

export interface Beat {
  id: string;
  /** So far. */
  usedMs: number;
}

/** A meter that moves twice a minute is live enough; every message is stored. */
const tellEveryMs = 30_000;

/**
 * That these runs go on, and what they have used. Whoever is busy with a row right now (a settlement, say) is not waited
 * for: the next beat comes soon. Answers which are not open any more: nothing pays for them.
 */
export async function heartbeat(ctx: Context, beats: Beat[]): Promise<{ ended: string[] }> {
  if (beats.length === 0) return { ended: [] };
  const now = ctx.now();
  const at = sql`${now.toISOString()}::timestamptz`;
  const reported = JSON.stringify(beats.map(({ id, usedMs }) => ({ id, used: measured(usedMs) })));
  const ids = beats.map(({ id }) => id);
  return ctx.write(async (write) => {
    const rows = rowsOf<{ userId: string }>(
      await write.tx.execute(sql`
      with beats as (
        select id, max(used) as used from jsonb_to_recordset(${reported}::jsonb) as beat (id uuid, used bigint) group by id
      ), alive as (
        select r.id, r.reserved_ms as reserved, least(greatest(beats.used, r.used_ms), r.reserved_ms) as used
        from ${quotaReservations} r join beats on beats.id = r.id where r.state = 'reserved'
        for update of r skip locked
      ), beaten as (
        update ${quotaReservations} r set
          reserved_ms = alive.reserved, used_ms = alive.used, heartbeat_at = greatest(r.heartbeat_at, ${at})
        from alive where r.id = alive.id returning r.user_id, r.period
      ), due as (
        select b.user_id, b.period from ${quotaBalances} b
        where (b.user_id, b.period) in (select user_id, period from beaten)
          and (b.told_at is null or b.told_at <= ${new Date(now.getTime() - tellEveryMs).toISOString()}::timestamptz)
        for update skip locked
      ) update ${quotaBalances} b set told_at = ${at} from due
        where b.user_id = due.user_id and b.period = due.period returning b.user_id as "userId"`),
    );
    for (const userId of new Set(rows.map((row) => row.userId))) await tellQuota(ctx, write, userId);
    const open = await write.tx
      .select({ id: quotaReservations.id })
      .from(quotaReservations)
      .where(and(inArray(quotaReservations.id, ids), eq(quotaReservations.state, 'reserved')));
    const isOpen = new Set(open.map(({ id }) => id));
    return { ended: ids.filter((id) => !isOpen.has(id)) };
  });
}

/** One clock that went wrong must not silence the others; more than is reserved counts for nothing anyway. */
const measured = (ms: number) => Math.min(Math.max(Math.round(ms) || 0, 0), Number.MAX_SAFE_INTEGER);

export interface Abandoned {
  id: string;
  userId: string;
  usedMs: number;
}

/** Settles what has not beaten since, from its last heartbeat. One that beats again before it is its turn is left alone. */
export async function settleAbandoned(ctx: Context, before: Date): Promise<Abandoned[]> {
  const silent = await ctx.db
    .select({ id: quotaReservations.id })
    .from(quotaReservations)
    .where(and(eq(quotaReservations.state, 'reserved'), lt(quotaReservations.heartbeatAt, before)));
  const settled: Abandoned[] = [];
  for (const { id } of silent) {
    const closed = await ctx.write(async (write) => {
      const closed = await close(ctx, write.tx, id, {
        used: sql`r.used_ms`,
        reason: 'abandoned',
        provided: sql`r.heartbeat_at < ${before.toISOString()}::timestamptz`,
      });
      if (closed) await tellQuota(ctx, write, closed.userId);
      return closed;
    });
    if (closed) settled.push({ id, ...closed });
  }
  return settled;
}
