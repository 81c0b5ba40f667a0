import { and, eq, lte, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { notFound } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { users } from '../../users/table.ts';
import { unitReservations } from '../table.ts';

/** Locks the wallet until the write is stored, so that two reservations cannot set the same units aside. */
export async function lockWallet({ tx }: Write, userId: string): Promise<{ balance: number; reserved: number }> {
  const [wallet] = await tx
    .select({ balance: users.balance, reserved: users.reservedUnits })
    .from(users)
    .where(eq(users.id, userId))
    .for('update');
  if (!wallet) throw notFound('This person');
  return wallet;
}

async function release(write: Write, userId: string, which: SQL | undefined): Promise<void> {
  const released = await write.tx
    .delete(unitReservations)
    .where(and(eq(unitReservations.userId, userId), which))
    .returning({ units: unitReservations.units });
  const units = released.reduce((sum, each) => sum + each.units, 0);
  if (units === 0) return;
  await write.tx
    .update(users)
    .set({ reservedUnits: sql`${users.reservedUnits} - ${units}` })
    .where(eq(users.id, userId));
}

/** The wallet as it is once the reservations that this one replaces, and those whose time is over, are released. */
export async function lockForReservation(ctx: Context, write: Write, { userId, id }: { userId: string; id: string }) {
  await lockWallet(write, userId);
  await release(write, userId, or(eq(unitReservations.id, id), lte(unitReservations.expiresAt, ctx.now())));
  return lockWallet(write, userId);
}

/** Of a wallet that is locked and has these units left. */
export async function insertReservation(
  write: Write,
  reservation: typeof unitReservations.$inferInsert,
): Promise<void> {
  const { userId, units } = reservation;
  await write.tx.insert(unitReservations).values(reservation);
  await write.tx
    .update(users)
    .set({ reservedUnits: sql`${users.reservedUnits} + ${units}` })
    .where(eq(users.id, userId));
}

/** The units can be spent on anything again; what was used of them is debited in the same write. */
export async function releaseReservation(write: Write, { userId, id }: { userId: string; id: string }): Promise<void> {
  await lockWallet(write, userId);
  await release(write, userId, eq(unitReservations.id, id));
}

export async function releaseExpired(ctx: Context): Promise<void> {
  const isExpired = lte(unitReservations.expiresAt, ctx.now());
  const people = await ctx.db.selectDistinct({ id: unitReservations.userId }).from(unitReservations).where(isExpired);
  for (const { id } of people)
    await ctx.write(async (write) => {
      await lockWallet(write, id);
      await release(write, id, isExpired);
    });
}

export const reservationsJob = defineJob<Record<string, never>>({
  kind: 'wallet.release_reservations',
  payload: z.object({}).strict() as z.ZodType<Record<string, never>>,
  concurrency: 1,
  async run({ ctx }) {
    await releaseExpired(ctx);
  },
});

export const reservationsSchedule = { cron: '* * * * *', job: reservationsJob, payload: {}, isRunAtStart: true };

/** People whose reserved units are not the sum of their reservations: there must be none. */
export async function wrongReservations(db: Database): Promise<{ userId: string }[]> {
  return rowsOf<{ userId: string }>(
    await db.execute(sql`
    select u.id as "userId" from ${users} u left join (
      select user_id, sum(units) as units from ${unitReservations} group by user_id
    ) r on r.user_id = u.id
    where u.reserved_units <> coalesce(r.units, 0)`),
  );
}
