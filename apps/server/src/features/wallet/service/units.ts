import type { WalletKind } from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { preparedStatement } from '../../../platform/db/prepared-statement.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { ledgerEntries, ledgerTransactions } from '../../ledger/table.ts';
import { users } from '../../users/table.ts';

type Reader = Database | Transaction;

/** The part of the books that are units. */
export const unitsPeriod = 'units';
/** And of those kept for the optional service. */
export const unboundedPeriod = 'unbounded';
/** What a balance can hold; twenty million dollars. */
export const mostBalance = 2_000_000_000;

export interface Move {
  userId: string;
  /** Below zero for a debit. */
  amount: number;
  kind: WalletKind;
  /** Names what may happen once only, for ever. */
  key: string;
  referenceId?: string;
  /** What it was for; its owner reads it. */
  note: string;
}

interface Moved {
  transactionId: string;
  balance: number;
  /** It was done before, and nothing was done now. */
  isRepeated: boolean;
}

/** For a caller who has something else to do then; everyone else lets it become the answer. */
export class NotEnoughUnits extends AppError {
  constructor(needed: number, { balance, reserved }: { balance: number; reserved: number }) {
    const left = reserved > 0 ? ` (${inWords(reserved)} of it reserved for AI answers that are being written)` : '';
    super(
      'forbidden',
      `This costs ${inWords(needed)}, and your balance is ${inWords(balance)}${left}. Add units first.`,
      {
        details: { reason: 'usage_limit_reached', needed, balance: balance - reserved },
      },
    );
  }
}

export const inWords = (amount: number) => `${amount.toLocaleString('en')} ${amount === 1 ? 'unit' : 'units'}`;

/** What people pay with units, and get back of it; everything else comes from outside or goes there. */
const spending: ReadonlySet<WalletKind> = new Set([
  'subscription',
  'refund',
  'execution_time_extension',
  'service_usage',
]);

/** The key is taken first, and the balance, for which others wait, last. */
const moving = preparedStatement(sql`
  with claimed as (
    insert into ${ledgerTransactions} (id, asset, kind, key, reference_id, actor_id, note, created_at)
    values (${sql.placeholder('id')}::uuid, 'units', ${sql.placeholder('kind')}, ${sql.placeholder('key')},
      ${sql.placeholder('referenceId')}::uuid, ${sql.placeholder('actorId')}::uuid, ${sql.placeholder('note')},
      ${sql.placeholder('now')}::timestamptz)
    on conflict (key) do nothing returning id
  ), moved as (
    update ${users} u set balance = u.balance + ${sql.placeholder('amount')}::int from claimed
    where u.id = ${sql.placeholder('userId')}::uuid
      and u.balance::bigint + ${sql.placeholder('amount')}::int between
        case when ${sql.placeholder('amount')}::int < 0 then u.reserved_units else 0 end and ${sql.raw(String(mostBalance))}
    returning u.id, u.balance
  ), legs as (
    insert into ${ledgerEntries} (transaction_id, account, user_id, period, amount, balance)
    select claimed.id, leg.account, leg.user_id, ${sql.raw(`'${unitsPeriod}'`)}, leg.amount, leg.balance
    from claimed cross join moved cross join lateral (values
      ('wallet', moved.id, ${sql.placeholder('amount')}::bigint, moved.balance::bigint),
      (${sql.placeholder('other')}, null, -${sql.placeholder('amount')}::bigint, null)
    ) as leg (account, user_id, amount, balance)
  ) select (select count(*)::int from claimed) as claimed, (select balance from moved) as balance`);

/** Debits what there is, or nothing. Whoever goes on after a refusal does this in a transaction within the transaction. */
export async function moveUnits(ctx: Context, write: Write, move: Move): Promise<Moved> {
  const { userId, amount, kind, key, referenceId = null, note } = move;
  if (!Number.isSafeInteger(amount) || amount === 0) throw new RangeError(`${amount} is no amount of units`);
  const id = newId();
  const other = spending.has(kind) ? 'spent' : 'issued';
  const now = ctx.now().toISOString();
  const values = { id, kind, key, referenceId, actorId: ctx.actor.userId, note, now, userId, amount, other };
  const rows = rowsOf<{ claimed: number; balance: number | null }>(await write.tx.execute(moving(values)).execute());
  const { claimed, balance } = rows[0] as { claimed: number; balance: number | null };
  if (claimed === 0) return movedBefore(write.tx, move);
  if (balance === null) throw await refusal(write.tx, move);
  await write.emit('wallet.changed', { user_id: userId, transaction_id: id, kind, amount });
  return { transactionId: id, balance, isRepeated: false };
}

/** The same again is answered as the first time; another move cannot take its key. */
async function movedBefore(tx: Reader, { userId, amount, kind, key }: Move): Promise<Moved> {
  const [before] = await tx
    .select({ transaction: ledgerTransactions, entry: ledgerEntries })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(sql`${ledgerTransactions.key} = ${key} and ${ledgerEntries.account} = 'wallet'`);
  const { transaction, entry } = before ?? {};
  if (transaction?.kind !== kind || entry?.userId !== userId || entry.amount !== amount)
    throw new AppError('conflict', 'This request was used for something else. Send it with a new id.');
  return { transactionId: transaction.id, balance: entry.balance ?? 0, isRepeated: true };
}

async function refusal(tx: Reader, { userId, amount }: Move): Promise<AppError> {
  const [wallet] = await tx
    .select({ balance: users.balance, reserved: users.reservedUnits })
    .from(users)
    .where(eq(users.id, userId));
  if (!wallet) return notFound('This person');
  if (amount < 0) return new NotEnoughUnits(-amount, wallet);
  return new AppError('unprocessable_entity', `A wallet holds at most ${inWords(mostBalance)}.`);
}

/** Books back what was wrong, once, as far as the balance allows it: else not at all. */
export async function reverseMove(ctx: Context, write: Write, transactionId: string, note: string): Promise<Moved> {
  const [wrong] = await write.tx
    .select()
    .from(ledgerEntries)
    .where(sql`${ledgerEntries.transactionId} = ${transactionId} and ${ledgerEntries.account} = 'wallet'`);
  if (!wrong?.userId) throw notFound('This entry');
  return moveUnits(ctx, write, {
    userId: wrong.userId,
    amount: -wrong.amount,
    kind: 'reversal',
    key: `reversal:${transactionId}`,
    referenceId: transactionId,
    note,
  });
}
