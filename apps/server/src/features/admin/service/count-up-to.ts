import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';

/** Further than anyone turns pages: to count on would take longer than to read one. */
const most = 10_000;

export async function countUpTo(ctx: Context, query: SQL): Promise<{ total: number; is_more: boolean }> {
  const answer = await ctx.db.execute(
    sql`select count(*)::int as total from (${query} limit ${sql.raw(String(most + 1))}) counted`,
  );
  const total = rowsOf<{ total: number }>(answer)[0]?.total ?? 0;
  return { total: Math.min(total, most), is_more: total > most };
}
