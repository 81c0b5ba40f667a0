import { sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { ledgerEntries } from '../../ledger/table.ts';
import { quotaBalances } from '../table.ts';
import { settleAbandoned } from './heartbeats.ts';
import { extensionPeriod } from './periods.ts';

const minute = 60_000;
/** Longer than runs go on without a server: one that comes back finds what it pays with. */
const abandonedAfterMs = 15 * minute;

/** Not at once: a server that starts again first takes over the runs that went on without it, and they beat. */
export async function startSweeping(ctx: Context): Promise<() => void> {
  const timer = setInterval(() => {
    settleAbandoned(ctx, new Date(ctx.now().getTime() - abandonedAfterMs)).catch((error: unknown) =>
      ctx.log.error({ error }, 'Settling abandoned runs failed; trying again in a minute'),
    );
  }, minute);
  timer.unref();
  return () => clearInterval(timer);
}

/** Balances that differ from the sum of their entries: there must be none, ever. */
export async function wrongBalances(db: Database): Promise<{ userId: string; period: string }[]> {
  const rows = rowsOf<{ userId: string; period: string }>(
    await db.execute(sql`
    select b.user_id as "userId", b.period from ${quotaBalances} b
    left join (
      select user_id, period,
        sum(amount) filter (where account = 'spent') as spent,
        sum(amount) filter (where account = 'reserved') as reserved,
        sum(amount) filter (where account = 'time') as time
      from ${ledgerEntries} group by user_id, period
    ) e on e.user_id = b.user_id and e.period = b.period
    where b.used_ms <> coalesce(e.spent, 0) or b.reserved_ms <> coalesce(e.reserved, 0)
      or coalesce(e.time, 0) <> case when b.period = ${extensionPeriod} then b.total_ms else 0 end - b.used_ms - b.reserved_ms`),
  );
  return rows;
}
