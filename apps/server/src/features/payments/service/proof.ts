import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { ledgerEntries, ledgerTransactions } from '../../ledger/table.ts';
import { unitPurchases } from '../table.ts';

/** Purchases that brought other units than they say: there must be none, ever. */
export async function wrongPurchases(db: Database): Promise<{ purchaseId: string }[]> {
  const rows = rowsOf<{ purchaseId: string }>(
    await db.execute(sql`
    select p.id as "purchaseId" from ${unitPurchases} p left join (
      select t.reference_id, sum(e.amount) as amount from ${ledgerTransactions} t
      join ${ledgerEntries} e on e.transaction_id = t.id and e.account = 'wallet'
      where t.asset = 'units' and t.kind in ('top_up', 'return', 'reversal') group by t.reference_id
    ) b on b.reference_id = p.id where p.credited <> coalesce(b.amount, 0)`),
  );
  return rows;
}
