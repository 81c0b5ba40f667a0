import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { booking } from '../../ledger/service.ts';
import { findUser } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { quotaBalances, quotaReservations } from '../table.ts';
import { executionLimitSql } from './limits.ts';
import { notBelow } from './moves.ts';
import { guestPeriod, monthOf } from './periods.ts';
import { tellQuota } from './quota.ts';

/**
 * What was used as a guest, and the runs still going, become the account's of this month, however little it has left.
 * Again does nothing: then there is nothing left to carry. A merged guest's row stays, with nothing in it.
 */
export async function carryGuestUse(ctx: Context, guestId: string, userId: string): Promise<void> {
  const month = monthOf(ctx.now());
  await ctx.write(async (write) => {
    const { tx } = write;
    const user = await findUser(tx, userId);
    if (!user || user.isGuest) return;
    const runs = await tx
      .update(quotaReservations)
      .set({ userId, period: month })
      .where(
        and(
          eq(quotaReservations.userId, guestId),
          eq(quotaReservations.period, guestPeriod),
          eq(quotaReservations.state, 'reserved'),
        ),
      )
      .returning({ heldMs: quotaReservations.reservedMs });
    const held = sql`${runs.reduce((sum, { heldMs }) => sum + heldMs, 0)}::bigint`;
    await tx.execute(sql`
      insert into ${quotaBalances} (user_id, period, total_ms)
      select u.id, ${month}, ${executionLimitSql} from ${users} u where u.id = ${userId} on conflict do nothing`);
    const rows = sql`(b.user_id, b.period) in ((${guestId}::uuid, ${guestPeriod}), (${userId}::uuid, ${month}))`;
    // In one order for all, so that no two wait for each other.
    await tx.execute(sql`select 1 from ${quotaBalances} b where ${rows} order by b.user_id, b.period for update`);
    const carried = rowsOf(
      await tx.execute(sql`
      with guest as (
        select b.user_id, b.used_ms as used, ${held} as held from ${quotaBalances} b
        where b.user_id = ${guestId} and b.period = ${guestPeriod} and b.used_ms + ${held} > 0
      ), given as (
        update ${quotaBalances} b set used_ms = 0, reserved_ms = b.reserved_ms - guest.held
        from guest where b.user_id = guest.user_id and b.period = ${guestPeriod}
      ), taken as (
        update ${quotaBalances} b set
          used_ms = b.used_ms + guest.used,
          reserved_ms = b.reserved_ms + guest.held,
          total_ms = ${notBelow(sql`b.total_ms`, sql`b.used_ms + b.reserved_ms + guest.used + guest.held`)}
        from guest where b.user_id = ${userId} and b.period = ${month}
      ), ${booking(ctx, {
        asset: 'execution_ms',
        kind: 'guest',
        referenceId: userId,
        from: sql`guest`,
        legs: [
          sql`('spent', guest.user_id, ${guestPeriod}, -guest.used)`,
          sql`('reserved', guest.user_id, ${guestPeriod}, -guest.held)`,
          sql`('time', guest.user_id, ${guestPeriod}, guest.used + guest.held)`,
          sql`('spent', ${userId}::uuid, ${month}, guest.used)`,
          sql`('reserved', ${userId}::uuid, ${month}, guest.held)`,
          sql`('time', ${userId}::uuid, ${month}, -guest.used - guest.held)`,
        ],
      })} select 1 from guest`),
    );
    if (carried.length > 0) await tellQuota(ctx, write, userId);
  });
}
