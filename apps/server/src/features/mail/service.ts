import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context, Write } from '../../platform/context.ts';
import type { Database, Transaction } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { users } from '../users/table.ts';
import { addressIn } from './link.ts';
import { mailRefusals } from './table.ts';

type Reader = Database | Transaction;

const hashOf = (address: string) => hashSecret(address.toLowerCase());

async function isRefused(db: Reader, address: string): Promise<boolean> {
  const [row] = await db
    .select({ hash: mailRefusals.addressHash })
    .from(mailRefusals)
    .where(eq(mailRefusals.addressHash, hashOf(address)));
  return row !== undefined;
}

/** The account an address is proven to belong to: nobody else's preferences say anything about it. */
const ownerOf = (address: string) =>
  and(eq(sql`lower(${users.email})`, address.toLowerCase()), isNotNull(users.emailConfirmedAt));

/** Whether an address may get what it did not ask for: it has not refused, and neither has its owner's account. */
export async function wantsMail(db: Reader, address: string): Promise<boolean> {
  const [owner] = await db.select({ preferences: users.preferences }).from(users).where(ownerOf(address));
  return owner?.preferences.email_notifications !== false && !(await isRefused(db, address));
}

/** As much of an address as its owner needs to recognise it. */
const masked = (address: string) => address.replace(/^(.)[^@]*/, '$1…');

export async function mailChoice(ctx: Context, token: string): Promise<{ address: string; is_refused: boolean }> {
  const address = addressIn(ctx, token);
  return { address: masked(address), is_refused: !(await wantsMail(ctx.db, address)) };
}

/** The account's preference follows, so that what it shows is true. */
async function preferMail({ tx }: Write, address: string, isWanted: boolean): Promise<string | null> {
  const change = JSON.stringify({ email_notifications: isWanted });
  const [owner] = await tx
    .update(users)
    .set({ preferences: sql`${users.preferences} || ${change}::jsonb` })
    .where(ownerOf(address))
    .returning({ id: users.id });
  return owner?.id ?? null;
}

export async function chooseMail(ctx: Context, token: string, isRefused: boolean): Promise<void> {
  const address = addressIn(ctx, token);
  await ctx.write(async (write) => {
    if (isRefused) {
      const row = { addressHash: hashOf(address), createdAt: ctx.now() };
      await write.tx.insert(mailRefusals).values(row).onConflictDoNothing();
    } else await liftRefusal(write.tx, address);
    const userId = await preferMail(write, address, !isRefused);
    await write.emit('mail.choice_changed', { user_id: userId, is_refused: isRefused });
  });
}

export async function liftRefusal(tx: Transaction, address: string): Promise<void> {
  await tx.delete(mailRefusals).where(eq(mailRefusals.addressHash, hashOf(address)));
}

/** What an address refused before it had an account, the account it now belongs to refuses. */
export async function adoptRefusal(ctx: Context, userId: string): Promise<void> {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, userId));
  const { email, emailConfirmedAt } = user ?? {};
  if (!email || !emailConfirmedAt) return;
  await ctx.write(async (write) => {
    if (!(await isRefused(write.tx, email))) return;
    await preferMail(write, email, false);
    await write.emit('user.updated', { user_id: userId, fields: ['preferences'] });
  });
}
