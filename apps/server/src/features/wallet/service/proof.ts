import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import type { Database } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { ledgerEntries, ledgerTransactions } from '../../ledger/table.ts';
import { notify } from '../../notifications/service/notify.ts';
import { wrongPurchases } from '../../payments/service/proof.ts';
import { wrongBalances } from '../../quota/service/sweep.ts';
import { users } from '../../users/table.ts';
import { wrongWallets } from './entries.ts';
import { wrongReservations } from './reservations.ts';

/** Every night all balances are compared with the books; what differs is a fault of ours, and admins are told. */
export const proofJob = defineJob<Record<string, never>>({
  kind: 'wallet.proof',
  payload: z.object({}).strict() as z.ZodType<Record<string, never>>,
  concurrency: 1,
  timeoutMs: 60 * 60_000,
  async run({ ctx }) {
    await proveBooks(ctx);
  },
});

export const proofSchedule = { cron: '0 3 * * *', job: proofJob, payload: {}, isRunAtStart: true };

export async function proveBooks(ctx: Context): Promise<{ wrong: number }> {
  const found = {
    wallets: await wrongWallets(ctx.db),
    reservations: await wrongReservations(ctx.db),
    'execution times': await wrongBalances(ctx.db),
    purchases: await wrongPurchases(ctx.db),
    assets: await wrongAssets(ctx.db),
  };
  const wrong = Object.values(found).reduce((sum, { length }) => sum + length, 0);
  if (wrong === 0) {
    ctx.log.info('All balances are what the books say');
    return { wrong };
  }
  for (const [what, all] of Object.entries(found))
    for (const each of all) ctx.log.error({ what, ...each }, 'A balance is not what the books say');
  const parts = Object.entries(found).flatMap(([what, all]) => (all.length > 0 ? [`${all.length} ${what}`] : []));
  const admins = await ctx.db.select({ id: users.id }).from(users).where(eq(users.role, 'admin'));
  await notify(
    ctx,
    admins.map(({ id }) => id),
    {
      type: 'books_notice',
      actorId: null,
      metadata: { reason: `Balances differ from the books: ${parts.join(', ')}. See the log of the server` },
      key: `proof:${ctx.now().toISOString().slice(0, 10)}`,
    },
  );
  return { wrong };
}

/** What is counted comes from somewhere and goes somewhere: all of it together is nothing. */
async function wrongAssets(db: Database): Promise<{ asset: string }[]> {
  const rows = rowsOf<{ asset: string }>(
    await db.execute(sql`
    select t.asset from ${ledgerTransactions} t join ${ledgerEntries} e on e.transaction_id = t.id
    group by t.asset having sum(e.amount) <> 0`),
  );
  return rows;
}
