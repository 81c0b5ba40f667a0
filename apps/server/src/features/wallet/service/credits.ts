import type { CreditRequest, EndpointInput } from '@atoll/contract';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound, requestReused } from '../../../platform/errors.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { findUser } from '../../users/service.ts';
import { type CreditRequestRow, creditRequests, vouchers } from '../table.ts';
import { balanceOf } from './entries.ts';
import { moveUnits } from './units.ts';

interface Credit {
  id: string;
  userId: string;
  amount: number;
  reason: string;
}

async function move(ctx: Context, write: Write, { id, userId, amount, reason }: Credit): Promise<void> {
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
}

const dayMs = 24 * 60 * 60_000;

/** What an admin has given and taken without another one, in the last day. */
async function movedAlone(tx: Write['tx'], adminId: string, since: Date): Promise<number> {
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

type Asked = Pick<CreditRequestRow, 'id' | 'amount' | 'reason'> & ({ userId: string } | { voucherId: string });

/**
 * Above the limit it waits for another admin; many small ones of a day are as good as one. Null: it was asked for before.
 */
export async function requestUnits(ctx: Context, { tx }: Write, asked: Asked): Promise<CreditRequestRow | null> {
  const adminId = ctx.actor.userId ?? nobody;
  const now = ctx.now();
  // Two at once must not both find room below the limit.
  await tx.execute(sql`select 1 from users where id = ${adminId} for update`);
  const moved = await movedAlone(tx, adminId, new Date(now.getTime() - dayMs));
  const isAlone = moved + Math.abs(asked.amount) <= ctx.config.creditLimit;
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
  return request ?? null;
}

export async function creditUnits(ctx: Context, { id, request_id, amount, reason }: EndpointInput<'wallet', 'credit'>) {
  const asked = { id: request_id, userId: id, amount, reason };
  return ctx.write(async (write) => {
    const { tx } = write;
    if (!(await findUser(tx, id))) throw notFound('This person');
    const request = await requestUnits(ctx, write, asked);
    if (request?.isApproved) await move(ctx, write, asked);
    else if (request) {
      const subject = { type: 'user', id };
      await recordAction(ctx, write, { action: 'user.units_requested', subject, reason, after: { amount } });
    }
    const [stored] = await tx.select().from(creditRequests).where(eq(creditRequests.id, request_id));
    if (stored?.amount !== amount || stored.userId !== id || stored.reason !== reason) throw requestReused();
    return { balance: await balanceOf(ctx.within(write), id), is_waiting: stored?.decidedAt === null };
  });
}

export async function waitingCredits(ctx: Context): Promise<{ entries: CreditRequest[]; limit: number }> {
  const rows = await ctx.db
    .select({ request: creditRequests, voucher: vouchers })
    .from(creditRequests)
    .leftJoin(vouchers, eq(vouchers.id, creditRequests.voucherId))
    .where(isNull(creditRequests.decidedAt))
    .orderBy(creditRequests.createdAt)
    .limit(100);
  const people = await loadPeopleOf(ctx.db, rows, ({ request }) => [request.userId, request.requestedById]);
  const entries = rows.map(({ request, voucher }) => ({
    ...{ id: request.id, amount: request.amount, reason: request.reason },
    person: people.get(request.userId ?? '') ?? null,
    voucher: voucher && { id: voucher.id, units: voucher.units, count: voucher.count },
    requested_by: people.get(request.requestedById) ?? null,
    is_yours: request.requestedById === ctx.actor.userId,
    created_at: request.createdAt.toISOString(),
  }));
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
    const { userId, voucherId, amount, reason } = request;
    if (isApproved && userId) await move(ctx, write, { id, userId, amount, reason });
    else {
      const subject = userId ? { type: 'user', id: userId } : { type: 'voucher', id: voucherId ?? '' };
      const action = userId ? 'user.units_rejected' : isApproved ? 'voucher.approved' : 'voucher.rejected';
      await recordAction(ctx, write, { action, subject, reason: reason || null, after: { amount } });
    }
  });
}
