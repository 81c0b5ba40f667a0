import type { CreditRequest, EndpointInput } from '@atoll/contract';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { findUser } from '../../users/service.ts';
import { creditRequests } from '../table.ts';
import { balanceOf } from './entries.ts';
import { moveUnits } from './units.ts';

type Asked = Pick<typeof creditRequests.$inferSelect, 'id' | 'userId' | 'amount' | 'reason'>;

async function move(ctx: Context, write: Write, { id, userId, amount, reason }: Asked): Promise<number> {
  const { balance, isRepeated } = await moveUnits(ctx, write, {
    userId,
    amount,
    kind: 'manual',
    key: `manual:${id}`,
    note: reason,
  });
  const subject = { type: 'user', id: userId };
  if (!isRepeated)
    await recordAction(ctx, write, { action: 'user.units_changed', subject, reason, after: { amount, balance } });
  return balance;
}

const dayMs = 24 * 60 * 60_000;

/** What an admin has credited and debited without another one, in the last day. */
async function movedAlone({ tx }: Write, adminId: string, since: Date): Promise<number> {
  const [moved] = await tx
    .select({ units: sql<number>`coalesce(sum(abs(${creditRequests.amount})), 0)::float8` })
    .from(creditRequests)
    .where(
      and(
        eq(creditRequests.requestedById, adminId),
        eq(creditRequests.decidedById, adminId),
        eq(creditRequests.isApproved, true),
        gt(creditRequests.createdAt, since),
      ),
    );
  return moved?.units ?? 0;
}

/** Above the limit it waits for another admin; many small ones of a day are as good as one. */
export async function creditUnits(ctx: Context, { id, request_id, amount, reason }: EndpointInput<'wallet', 'credit'>) {
  const adminId = ctx.actor.userId ?? nobody;
  const now = ctx.now();
  const asked = { id: request_id, userId: id, amount, reason };
  return ctx.write(async (write) => {
    const { tx } = write;
    if (!(await findUser(tx, id))) throw notFound('This person');
    // Two at once must not both find room below the limit.
    await tx.execute(sql`select 1 from users where id = ${adminId} for update`);
    const moved = await movedAlone(write, adminId, new Date(now.getTime() - dayMs));
    const isAlone = moved + Math.abs(amount) <= ctx.config.creditLimit;
    const [request] = await tx
      .insert(creditRequests)
      .values({
        ...asked,
        requestedById: adminId,
        createdAt: now,
        ...(isAlone && { isApproved: true, decidedAt: now, decidedById: adminId }),
      })
      .onConflictDoNothing()
      .returning();
    if (request && isAlone) await move(ctx, write, asked);
    else if (request) {
      const subject = { type: 'user', id };
      await recordAction(ctx, write, { action: 'user.units_requested', subject, reason, after: { amount } });
    }
    const [stored] = await tx.select().from(creditRequests).where(eq(creditRequests.id, request_id));
    if (stored?.amount !== amount || stored.userId !== id)
      throw new AppError('conflict', 'This request was sent before, with another amount or person.');
    return { balance: await balanceOf(ctx.within(write), id), is_waiting: stored?.decidedAt === null };
  });
}

export async function waitingCredits(ctx: Context): Promise<{ entries: CreditRequest[]; limit: number }> {
  const rows = await ctx.db
    .select()
    .from(creditRequests)
    .where(isNull(creditRequests.decidedAt))
    .orderBy(creditRequests.createdAt)
    .limit(100);
  const people = await loadPeopleOf(ctx.db, rows, ({ userId, requestedById }) => [userId, requestedById]);
  const entries = rows.flatMap(({ id, userId, amount, reason, requestedById, createdAt }) => {
    const person = people.get(userId);
    if (!person) return [];
    const requested_by = people.get(requestedById) ?? null;
    const is_yours = requestedById === ctx.actor.userId;
    return { id, person, amount, reason, requested_by, is_yours, created_at: createdAt.toISOString() };
  });
  return { entries, limit: ctx.config.creditLimit };
}

/** Its own author can take it back, and not approve it. */
export async function decideCredit(ctx: Context, id: string, isApproved: boolean): Promise<void> {
  await ctx.write(async (write) => {
    const [request] = await write.tx.select().from(creditRequests).where(eq(creditRequests.id, id)).for('update');
    if (!request) throw notFound('This request');
    if (request.decidedAt) throw new AppError('conflict', 'This has been decided already.');
    if (isApproved && request.requestedById === ctx.actor.userId)
      throw new AppError('forbidden', 'Another admin has to approve what you asked for.');
    await write.tx
      .update(creditRequests)
      .set({ isApproved, decidedAt: ctx.now(), decidedById: ctx.actor.userId })
      .where(eq(creditRequests.id, id));
    if (isApproved) await move(ctx, write, request);
    else {
      const { userId, amount, reason } = request;
      const subject = { type: 'user', id: userId };
      await recordAction(ctx, write, { action: 'user.units_rejected', subject, reason, after: { amount } });
    }
  });
}
