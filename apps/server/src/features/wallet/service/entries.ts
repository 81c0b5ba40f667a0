import type { BalanceEntry, WalletKind, walletFilter } from '@atoll/contract';
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { notFound } from '../../../platform/errors.ts';
import { ledgerEntries, ledgerTransactions } from '../../ledger/table.ts';
import { users } from '../../users/table.ts';
import { unboundedPeriod, unitsPeriod } from './units.ts';

export type WalletFilter = z.infer<typeof walletFilter>;

export async function balanceOf(ctx: Context, userId: string): Promise<number> {
  const [user] = await ctx.db.select({ balance: users.balance }).from(users).where(eq(users.id, userId));
  if (!user) throw notFound('This person');
  return user.balance;
}

/** What came back is taken off. */
export async function spentUnits(db: Database | Transaction, userId: string, ...conditions: SQL[]): Promise<number> {
  const [spent] = await db
    .select({ units: sql<number>`coalesce(-sum(${ledgerEntries.amount}), 0)::float8` })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .where(and(eq(ledgerEntries.userId, userId), eq(ledgerEntries.period, unitsPeriod), ...conditions));
  return spent?.units ?? 0;
}

/** By position, not by page number: the last of a million is as near as the first. */
export async function listEntries(
  ctx: Context,
  userId: string,
  { kind, from, to, before, size }: WalletFilter & { before?: number | undefined; size: number },
): Promise<{ entries: BalanceEntry[]; next: number | null }> {
  const rows = await ctx.db
    .select({ entry: ledgerEntries, transaction: ledgerTransactions })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .where(
      and(
        eq(ledgerEntries.userId, userId),
        eq(ledgerEntries.period, unitsPeriod),
        before === undefined ? undefined : lt(ledgerEntries.id, before),
        kind && eq(ledgerTransactions.kind, kind),
        from === undefined ? undefined : gte(ledgerTransactions.createdAt, new Date(from)),
        to === undefined ? undefined : lt(ledgerTransactions.createdAt, new Date(to)),
      ),
    )
    .orderBy(desc(ledgerEntries.id))
    .limit(size + 1);
  const shown = rows.slice(0, size);
  return {
    entries: shown.map(({ entry, transaction }) => ({
      id: transaction.id,
      type: entry.amount > 0 ? 'credit' : 'debit',
      kind: transaction.kind as WalletKind,
      amount: entry.amount,
      balance: entry.balance ?? 0,
      note: transaction.note ?? '',
      date: transaction.createdAt.toISOString(),
    })),
    next: rows.length > size ? (shown.at(-1)?.entry.id ?? null) : null,
  };
}

/** Balances that differ from the sum of their entries: there must be none, ever. */
export async function wrongWallets(db: Database): Promise<{ userId: string }[]> {
  const rows = rowsOf<{ userId: string }>(
    await db.execute(sql`
    select u.id as "userId" from ${users} u left join (
      select user_id, sum(amount) filter (where account = 'wallet') as amount,
        sum(amount) filter (where account = 'unbounded') as unbounded
      from ${ledgerEntries} where period in (${unitsPeriod}, ${unboundedPeriod}) group by user_id
    ) e on e.user_id = u.id
    where u.balance <> coalesce(e.amount, 0) or u.unbounded_balance <> coalesce(e.unbounded, 0)`),
  );
  return rows;
}
