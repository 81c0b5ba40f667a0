import { type SQL, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { booking } from '../../ledger/service.ts';
import { users } from '../../users/table.ts';
import { quotaBalances, quotaReservations } from '../table.ts';
import { executionLimitSql } from './limits.ts';
import { extensionPeriod } from './periods.ts';

type Tx = Write['tx'];

/*
 * Each statement first locks its rows, and then writes what it worked out from those. Written as `reserved_ms = reserved_ms
 * + …`, PostgreSQL would first check the constraints on the row as it was when the statement began, and refuse for nothing.
 */

/** What a period has in all, by the plan of this moment; the extension has what was bought. */
const totalSql = sql`(case when b.period = ${extensionPeriod} then b.total_ms else ${executionLimitSql} end)`;

/** After a smaller plan was chosen somebody may have used more than it has: then that is the total, and nothing is left. */
export const notBelow = (total: SQL, taken: SQL) =>
  sql`case when ${total} is null then null else greatest(${total}, ${taken}) end`;

/**
 * Moves up to `wantedMs` from a period to an open reservation: as much as there is. One statement that locks, decides and
 * writes, so that however many come at once, none finds what another has taken.
 */
export async function draw(
  ctx: Context,
  tx: Tx,
  id: string,
  from: 'own' | 'extension',
  wantedMs: number,
): Promise<number> {
  const period = from === 'own' ? sql`r.period` : sql`${extensionPeriod}`;
  const wanted = sql`${wantedMs}::bigint`;
  const rows = rowsOf<{ granted: number }>(
    await tx.execute(sql`
    with room as (
      select r.id, r.reserved_ms as held, r.extension_ms as extension_held,
        b.user_id, b.period, b.used_ms as used, b.reserved_ms as reserved, ${totalSql} as total,
        greatest(least(${wanted}, coalesce(${totalSql} - b.used_ms - b.reserved_ms, ${wanted})), 0) as granted
      from ${quotaReservations} r
      join ${users} u on u.id = r.user_id
      join ${quotaBalances} b on b.user_id = r.user_id and b.period = ${period}
      where r.id = ${id} and r.state = 'reserved'
      for update of r, b
    ), moved as (
      update ${quotaBalances} b set
        used_ms = room.used,
        reserved_ms = room.reserved + room.granted,
        total_ms = ${notBelow(sql`room.total`, sql`room.used + room.reserved + room.granted`)}
      from room where b.user_id = room.user_id and b.period = room.period and room.granted > 0
      returning room.*
    ), held as (
      update ${quotaReservations} r set
        reserved_ms = moved.held + moved.granted,
        extension_ms = moved.extension_held + ${from === 'own' ? sql`0` : sql`moved.granted`}
      from moved where r.id = moved.id
    ), ${booking(ctx, {
      asset: 'execution_ms',
      kind: 'reserve',
      referenceId: id,
      from: sql`moved`,
      legs: [
        sql`('time', moved.user_id, moved.period, -moved.granted)`,
        sql`('reserved', moved.user_id, moved.period, moved.granted)`,
      ],
    })} select granted::float8 as granted from moved`),
  );
  return rows[0]?.granted ?? 0;
}

interface Closed {
  userId: string;
  usedMs: number;
  /** How much of it was from the extension. */
  extensionMs: number;
}

interface Closing {
  /** An expression over the reservation `r`. */
  used: SQL;
  reason: string;
  /** Under the lock: whether it is still to be closed. */
  provided?: SQL;
}

/**
 * Books what was used of an open reservation and gives the rest back. The month's own time is used first: what others gave
 * back meanwhile spares the extension. Answers nothing when it is not open.
 */
export async function close(
  ctx: Context,
  tx: Tx,
  id: string,
  { used, reason, provided = sql`true` }: Closing,
): Promise<Closed | null> {
  const rows = rowsOf<Closed>(
    await tx.execute(sql`
    with open as (
      select r.id, r.user_id, r.period, r.reserved_ms as held, r.extension_ms as extension_held,
        b.used_ms as balance_used, b.reserved_ms as balance_reserved, ${totalSql} as total,
        least(${used}, r.reserved_ms) as used,
        least(${used}, r.reserved_ms - r.extension_ms
          + least(r.extension_ms, coalesce(greatest(${totalSql} - b.used_ms - b.reserved_ms, 0), r.extension_ms))) as own_used
      from ${quotaReservations} r
      join ${users} u on u.id = r.user_id
      join ${quotaBalances} b on b.user_id = r.user_id and b.period = r.period
      where r.id = ${id} and r.state = 'reserved' and ${provided}
      for update of r, b
    ), closed as (
      update ${quotaReservations} r set
        state = 'settled', reserved_ms = open.held, used_ms = open.used,
        reason = ${reason}, settled_at = ${ctx.now().toISOString()}::timestamptz
      from open where r.id = open.id
    ), bought as (
      select b.user_id, b.used_ms, b.reserved_ms, b.total_ms, open.extension_held, open.used - open.own_used as used
      from open join ${quotaBalances} b on b.user_id = open.user_id and b.period = ${extensionPeriod}
      where open.extension_held > 0
      for update of b
    ), parts as (
      select user_id, period, held - extension_held as held, own_used as used,
        balance_used + own_used as balance_used, balance_reserved - held + extension_held as balance_reserved, total
      from open
      union all
      select user_id, ${extensionPeriod}, extension_held, used, used_ms + used, reserved_ms - extension_held, total_ms
      from bought
    ), moved as (
      update ${quotaBalances} b set
        used_ms = parts.balance_used,
        reserved_ms = parts.balance_reserved,
        total_ms = ${notBelow(sql`parts.total`, sql`parts.balance_used + parts.balance_reserved`)}
      from parts where b.user_id = parts.user_id and b.period = parts.period
    ), ${booking(ctx, {
      asset: 'execution_ms',
      kind: 'settle',
      key: `settle:${id}`,
      referenceId: id,
      from: sql`parts`,
      legs: [
        sql`('reserved', parts.user_id, parts.period, -parts.held)`,
        sql`('spent', parts.user_id, parts.period, parts.used)`,
        sql`('time', parts.user_id, parts.period, parts.held - parts.used)`,
      ],
    })} select user_id as "userId", used::float8 as "usedMs", coalesce((select used from bought), 0)::float8 as "extensionMs"
      from open`),
  );
  return rows[0] ?? null;
}
