import { type Quota, topics } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { notFound } from '../../../platform/errors.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { projectLimit } from '../../projects/service/write.ts';
import { projects } from '../../projects/table.ts';
import { findUser } from '../../users/service.ts';
import { quotaBalances, quotaReservations } from '../table.ts';
import { quotaView, type Standing } from '../view.ts';
import { executionLimit } from './limits.ts';
import { extensionPeriod, guestPeriod, monthOf, nextMonth } from './periods.ts';

/** What runs in progress have used counts as used, although it is only booked at their end. */
export async function quotaOf(ctx: Context, userId: string, db: Database | Transaction = ctx.db): Promise<Quota> {
  const user = await findUser(db, userId);
  if (!user) throw notFound('This person');
  const now = ctx.now();
  const period = user.isGuest ? guestPeriod : monthOf(now);
  const own = (name: string) => sql`coalesce(max(${sql.identifier(name)}) filter (where period = ${period}), 0)`;
  const extra = (name: string) =>
    sql`coalesce(max(${sql.identifier(name)}) filter (where period = ${extensionPeriod}), 0)`;
  // As doubles: they are exact up to 285 millennia, and both databases hand them over as numbers.
  const rows = rowsOf<Standing>(
    await db.execute(sql`
    with balance as (
      select ${own('used_ms')}::float8 as used, ${own('reserved_ms')}::float8 as reserved,
        ${extra('reserved_ms')}::float8 as "extensionReserved",
        (${extra('total_ms')} - ${extra('used_ms')} - ${extra('reserved_ms')})::float8 as extension
      from ${quotaBalances} where user_id = ${userId} and period in (${period}, ${extensionPeriod})
    ), running as (
      select coalesce(sum(used_ms), 0)::float8 as running,
        coalesce(sum(least(used_ms, reserved_ms - extension_ms)), 0)::float8 as "runningOwn"
      from ${quotaReservations} where user_id = ${userId} and state = 'reserved' and period = ${period}
    ), made as (
      select count(*)::int as projects from ${projects}
      where owner_id = ${userId} and deleted_at is null and not is_hidden
    ) select * from balance, running, made`),
  );
  return quotaView(rows[0] as Standing, {
    executionMs: executionLimit(user),
    projects: projectLimit(user),
    renewsAt: user.isGuest ? null : nextMonth(now),
  });
}

/** In the transaction that changed it, so that nobody is told of what did not happen. */
export async function tellQuota(ctx: Context, write: Write, userId: string): Promise<void> {
  const quota = await quotaOf(ctx, userId, write.tx);
  write.publish(message(topics.person, { userId }, 'quota_changed', { quota }));
}
