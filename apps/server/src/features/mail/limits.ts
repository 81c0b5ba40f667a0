import type { EndpointInput, MailLimits, MailToday } from '@atoll/contract';
import { and, desc, eq, lt, max, sql } from 'drizzle-orm';
import type { Context, Write } from '../../platform/context.ts';
import type { Database, Transaction } from '../../platform/db/database.ts';
import { definedOf } from '../../platform/defined.ts';
import { AppError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { loadPeople } from '../projects/service/relations.ts';
import { mailCounts, mailLimits } from './table.ts';

const initial: MailLimits = { per_account: 200, per_recipient: 50, per_installation: 5_000 };

export async function limitsOf(db: Database | Transaction): Promise<MailLimits> {
  const [row] = await db.select().from(mailLimits);
  if (!row) return initial;
  return { per_account: row.perAccount, per_recipient: row.perRecipient, per_installation: row.perInstallation };
}

const dayMs = 24 * 60 * 60_000;
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

type CountKind = (typeof mailCounts.$inferInsert)['kind'];

/** Takes one of so many in a day; false when there is none left. */
async function isTaken(
  db: Database | Transaction,
  { most, ...count }: { day: string; kind: CountKind; key: string; most: number },
): Promise<boolean> {
  if (most <= 0) return false;
  const taken = await db
    .insert(mailCounts)
    .values({ ...count, value: 1 })
    .onConflictDoUpdate({
      target: [mailCounts.day, mailCounts.kind, mailCounts.key],
      set: { value: sql`${mailCounts.value} + 1` },
      setWhere: lt(mailCounts.value, most),
    })
    .returning({ value: mailCounts.value });
  return taken.length > 0;
}

interface CountedMail {
  senderId: string;
  address: string;
  /** The address belongs to the people of the project: only its owner's patience is limited. */
  isKnown?: boolean;
}

/**
 * Takes one mail to another person from what is left of today, with the transaction of whoever sends it, or refuses. Servers
 * wait for each other at these rows, so a transaction counts one mail and does so last.
 */
export async function countMail(ctx: Context, { tx }: Write, mail: CountedMail): Promise<void> {
  const { senderId, address, isKnown = false } = mail;
  const limits = await limitsOf(tx);
  const now = ctx.now();
  const day = dayOf(now);
  const take = async (kind: CountKind, key: string, most: number, words: string) => {
    if (await isTaken(tx, { day, kind, key, most })) return;
    const retryAfterSeconds = Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000);
    throw new AppError('too_many_requests', `${words} Try again tomorrow.`, {
      retryAfterSeconds,
      details: { retry_after: retryAfterSeconds },
    });
  };
  // Always in this order, to avoid deadlocks.
  if (!isKnown)
    await take(
      'account',
      senderId,
      limits.per_account,
      `You have sent mail to people outside of your projects as often as is allowed in a day (${limits.per_account}).`,
    );
  const hash = hashSecret(address.toLowerCase());
  await take('recipient', hash, limits.per_recipient, 'This address has got as much mail as is allowed in a day.');
  if (!isKnown)
    await take('installation', '', limits.per_installation, 'As much mail as is allowed in a day was sent from here.');
}

const mostToUnproven = 10;

/** Whether an account may still be mailed today at an address that it only claims, and that can be a stranger's. */
export const countUnproven = ({ db, now }: Context, address: string): Promise<boolean> =>
  isTaken(db, {
    ...{ day: dayOf(now()), kind: 'unproven', most: mostToUnproven },
    key: hashSecret(address.toLowerCase()),
  });

/** How many of those who sent most admins see. */
const listed = 10;

export async function mailToday({ db, now }: Context): Promise<MailToday> {
  const ofToday = (kind: 'account' | 'recipient' | 'installation') =>
    and(eq(mailCounts.day, dayOf(now())), eq(mailCounts.kind, kind));
  const most = async (kind: 'recipient' | 'installation') => {
    const [row] = await db
      .select({ value: max(mailCounts.value) })
      .from(mailCounts)
      .where(ofToday(kind));
    return row?.value ?? 0;
  };
  const senders = await db
    .select()
    .from(mailCounts)
    .where(ofToday('account'))
    .orderBy(desc(mailCounts.value), mailCounts.key)
    .limit(listed);
  const keys = senders.map(({ key }) => key);
  const people = await loadPeople(db, keys);
  return {
    limits: await limitsOf(db),
    sent: await most('installation'),
    busiest_recipient: await most('recipient'),
    accounts: senders.map(({ key, value }) => ({ person: people.get(key) ?? null, sent: value })),
  };
}

/** For admins. */
export const updateMailLimits = (ctx: Context, update: EndpointInput<'admin', 'updateMailLimits'>) =>
  ctx.write(async ({ tx, emit }) => {
    const limits: MailLimits = { ...(await limitsOf(tx)), ...definedOf(update) };
    const set = {
      perAccount: limits.per_account,
      perRecipient: limits.per_recipient,
      perInstallation: limits.per_installation,
    };
    await tx
      .insert(mailLimits)
      .values({ id: 'only', ...set })
      .onConflictDoUpdate({ target: mailLimits.id, set });
    await emit('mail.limits_changed', {});
    return limits;
  });

export async function sweepMailCounts(ctx: Context): Promise<void> {
  const lastWeek = dayOf(new Date(ctx.now().getTime() - 7 * dayMs));
  await ctx.db.delete(mailCounts).where(lt(mailCounts.day, lastWeek));
}
