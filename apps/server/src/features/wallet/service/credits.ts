import type { CreditRequest } from '@atoll/contract';
import { eq, isNull } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { findUser } from '../../users/service.ts';
import { creditRequests } from '../table.ts';
import { balanceOf } from './entries.ts';
import { moveUnits } from './units.ts';

interface Credit {
  id: string;
  request_id: string;
  amount: number;
  reason: string;
}

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

/** Above the limit it waits for another admin. */
export async function creditUnits(ctx: Context, { id, request_id, amount, reason }: Credit) {
  const asked = { id: request_id, userId: id, amount, reason };
  return ctx.write(async (write) => {
    if (Math.abs(amount) <= ctx.config.creditLimit)
      return { balance: await move(ctx, write, asked), is_waiting: false };
    if (!(await findUser(write.tx, id))) throw notFound('This person');
    const [request] = await write.tx
      .insert(creditRequests)
      .values({ ...asked, requestedById: ctx.actor.userId ?? nobody, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning();
    if (request) {
      const subject = { type: 'user', id };
      await recordAction(ctx, write, { action: 'user.units_requested', subject, reason, after: { amount } });
    }
    const [stored] = await write.tx.select().from(creditRequests).where(eq(creditRequests.id, request_id));
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
  const people = await loadPeople(
    ctx.db,
    rows.flatMap(({ userId, requestedById }) => [userId, requestedById]),
  );
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
