import type { EndpointInput } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { AppError, denied, notFound } from '../../../platform/errors.ts';
import { ledgerEntries, ledgerTransactions } from '../../ledger/table.ts';
import { requireSelf } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { inWords, mostBalance, unboundedPeriod, unitsPeriod } from './units.ts';

function requireService({ config }: Context): void {
  if (!config.hasUnbounded) throw denied('disabled_in_configuration', 'This service is turned off here.');
}

/** Between the wallet and what is kept for the service; one statement, as every move of units. */
export async function transferUnits(
  ctx: Context,
  { amount, request_id = newId() }: EndpointInput<'wallet', 'transfer'>,
): Promise<{ id: string; balance: number; unbounded_balance: number }> {
  requireService(ctx);
  const userId = ctx.actor.userId ?? nobody;
  const id = newId();
  const key = `transfer:${userId}:${request_id}`;
  const transactionId = await ctx.write(async (write) => {
    const rows = rowsOf<{ claimed: number; moved: number }>(
      await write.tx.execute(sql`
      with claimed as (
        insert into ${ledgerTransactions} (id, asset, kind, key, actor_id, note, created_at)
        values (${id}::uuid, 'units', 'transfer', ${key}, ${userId}::uuid, 'Transfer', ${ctx.now().toISOString()}::timestamptz)
        on conflict (key) do nothing returning id
      ), moved as (
        update ${users} u set balance = u.balance + ${amount}::int, unbounded_balance = u.unbounded_balance - ${amount}::int
        from claimed where u.id = ${userId}::uuid
          and u.balance::bigint + ${amount}::int between
            case when ${amount}::int < 0 then u.reserved_units else 0 end and ${mostBalance}::bigint
          and u.unbounded_balance::bigint - ${amount}::int between 0 and ${mostBalance}::bigint
        returning u.balance, u.unbounded_balance
      ), legs as (
        insert into ${ledgerEntries} (transaction_id, account, user_id, period, amount, balance)
        select claimed.id, leg.account, ${userId}::uuid, leg.period, leg.amount, leg.balance
        from claimed cross join moved cross join lateral (values
          ('wallet', ${unitsPeriod}, ${amount}::bigint, moved.balance::bigint),
          ('unbounded', ${unboundedPeriod}, -${amount}::bigint, moved.unbounded_balance::bigint))
          as leg (account, period, amount, balance)
      ) select (select count(*)::int from claimed) as claimed, (select count(*)::int from moved) as moved`),
    );
    const [done] = rows;
    if (done?.claimed === 0) return transferredBefore(write.tx, key, amount);
    if (done?.moved === 0) throw await refusal(ctx, write.tx, amount);
    await write.emit('wallet.changed', { user_id: userId, transaction_id: id, kind: 'transfer', amount });
    return id;
  });
  const { balance, unboundedBalance } = await requireSelf(ctx);
  return { id: transactionId, balance, unbounded_balance: unboundedBalance };
}

type Reader = Database | Transaction;

async function transferredBefore(tx: Reader, key: string, amount: number): Promise<string> {
  const [before] = await tx
    .select({ id: ledgerTransactions.id, amount: ledgerEntries.amount })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(and(eq(ledgerTransactions.key, key), eq(ledgerEntries.account, 'wallet')));
  if (before?.amount !== amount)
    throw new AppError('conflict', 'This request was used for something else. Send it with a new id.');
  return before.id;
}

async function refusal(ctx: Context, tx: Reader, amount: number): Promise<AppError> {
  const { balance, reservedUnits, unboundedBalance } = await requireSelf(ctx, tx);
  const there = amount > 0 ? unboundedBalance : balance - reservedUnits;
  const needed = Math.abs(amount);
  if (there >= needed) return new AppError('unprocessable_entity', `A wallet holds at most ${inWords(mostBalance)}.`);
  return new AppError('forbidden', `You want to transfer ${inWords(needed)}, and there are ${inWords(there)}.`, {
    details: { reason: 'usage_limit_reached', needed, balance: there },
  });
}

/** Also where the service was turned off since. */
export async function transferStatus(ctx: Context, id: string) {
  const [row] = await ctx.db
    .select({ transaction: ledgerTransactions, amount: ledgerEntries.amount })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(
      and(
        eq(ledgerTransactions.id, id),
        eq(ledgerTransactions.kind, 'transfer'),
        eq(ledgerEntries.account, 'wallet'),
        eq(ledgerEntries.userId, ctx.actor.userId ?? nobody),
      ),
    );
  if (!row) throw notFound('This transfer');
  // Both sides are in one transaction: there is nothing in between.
  return { id, status: 'completed' as const, amount: row.amount, date: row.transaction.createdAt.toISOString() };
}
