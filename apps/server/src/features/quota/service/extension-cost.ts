import { and, eq } from 'drizzle-orm';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { quotaBalances } from '../table.ts';
import { extensionPeriod } from './periods.ts';

/** What time from the extension cost somebody, in units: their share of what they paid for all of it. */
export async function extensionCost(db: Database | Transaction, userId: string): Promise<(ms: number) => number> {
  const [row] = await db
    .select()
    .from(quotaBalances)
    .where(and(eq(quotaBalances.userId, userId), eq(quotaBalances.period, extensionPeriod)));
  const unitsPerMs = row?.totalMs ? row.paidUnits / row.totalMs : 0;
  return (ms) => Math.round(ms * unitsPerMs);
}
