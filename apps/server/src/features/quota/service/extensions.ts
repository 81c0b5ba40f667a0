import { sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { booking } from '../../ledger/service.ts';
import { ledgerTransactions } from '../../ledger/table.ts';
import { quotaBalances } from '../table.ts';
import { extensionPeriod } from './periods.ts';
import { tellQuota } from './quota.ts';
import { wholeMs } from './whole-ms.ts';

interface Extension {
  id: string;
  userId: string;
  amountMs: number;
  paidUnits?: number;
  referenceId?: string;
}

/** Time in addition to the plan's, for ever. Once for each id, which the caller made (a purchase's, say). */
export async function addExtension(
  ctx: Context,
  write: Write,
  { id, userId, amountMs, paidUnits = 0, referenceId = id }: Extension,
): Promise<void> {
  const key = `extension:${id}`;
  await write.tx.execute(sql`
    with fresh as (
      select ${userId}::uuid as user_id, ${wholeMs(amountMs)}::bigint as amount
      where not exists (select 1 from ${ledgerTransactions} where key = ${key})
    ), moved as (
      insert into ${quotaBalances} as b (user_id, period, total_ms, paid_units)
      select user_id, ${extensionPeriod}, amount, ${paidUnits}::bigint from fresh
      on conflict (user_id, period) do update set
        total_ms = b.total_ms + excluded.total_ms, paid_units = b.paid_units + excluded.paid_units
    ), ${booking(ctx, {
      asset: 'execution_ms',
      kind: 'extension',
      key,
      referenceId,
      from: sql`fresh`,
      legs: [
        sql`('issued', null::uuid, ${extensionPeriod}, -fresh.amount)`,
        sql`('time', fresh.user_id, ${extensionPeriod}, fresh.amount)`,
      ],
    })} select 1`);
  await tellQuota(ctx, write, userId);
}
