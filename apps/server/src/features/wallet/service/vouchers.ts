import { createHash, randomInt } from 'node:crypto';
import type { EndpointInput, Paging, Voucher } from '@atoll/contract';
import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { type CreditRequestRow, creditRequests, type VoucherRow, vouchers } from '../table.ts';
import { requestUnits } from './credits.ts';
import { moveUnits } from './units.ts';

/** Without those that are read as another. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const newCode = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  );

/** However it was typed. */
const hashOf = (code: string) => createHash('sha256').update(code.toUpperCase().replace(/[\s-]/g, '')).digest('hex');

type Decision = Pick<CreditRequestRow, 'isApproved'> | null;

/** Those of before vouchers had a limit were made by one admin alone. */
const approvalOf = (request: Decision) =>
  !request || request.isApproved ? 'approved' : request.isApproved === null ? 'waiting' : 'rejected';

const view = ({ id, units, count, redeemed, expiresAt, note, createdAt }: VoucherRow, request: Decision): Voucher => ({
  id,
  approval: approvalOf(request),
  units,
  count,
  redeemed,
  expires_at: expiresAt?.toISOString() ?? null,
  note,
  created_at: createdAt.toISOString(),
});

export async function createVoucher(
  ctx: Context,
  { units, count, expires_at, note }: EndpointInput<'wallet', 'createVoucher'>,
) {
  const now = ctx.now();
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'Must be in the future');
  const code = newCode();
  return ctx.write(async (write) => {
    const values = { codeHash: hashOf(code), units, count, expiresAt, note, createdAt: now };
    const [row] = await write.tx.insert(vouchers).values(values).returning();
    if (!row) throw new Error('The voucher was not stored');
    // Without the code: who reads the log must not be able to redeem it.
    await recordAction(ctx, write, {
      action: 'voucher.created',
      subject: { type: 'voucher', id: row.id },
      reason: note || null,
      after: { units, count, expires_at },
    });
    const asked = { id: newId(), voucherId: row.id, amount: units * count, reason: note };
    const request = await requestUnits(ctx, write, asked);
    await write.emit('voucher.created', { voucher_id: row.id });
    return { ...view(row, request), code };
  });
}

export async function listVouchers(ctx: Context, { page, page_size }: Paging) {
  const rows = await ctx.db
    .select({ voucher: vouchers, request: creditRequests })
    .from(vouchers)
    .leftJoin(creditRequests, eq(creditRequests.voucherId, vouchers.id))
    .orderBy(desc(vouchers.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(vouchers);
  return { entries: rows.map(({ voucher, request }) => view(voucher, request)), page, page_size, total };
}

/** Once for each person: the books know. */
export async function redeemVoucher(ctx: Context, code: string): Promise<{ units: number; balance: number }> {
  const userId = ctx.actor.userId ?? nobody;
  return ctx.write(async (write) => {
    const [found] = await write.tx
      .select({ voucher: vouchers, request: creditRequests })
      .from(vouchers)
      .leftJoin(creditRequests, eq(creditRequests.voucherId, vouchers.id))
      .where(eq(vouchers.codeHash, hashOf(code)));
    if (!found)
      throw new AppError('not_found', 'There is no voucher with this code. Check that it is typed correctly.');
    const { voucher } = found;
    const approval = approvalOf(found.request);
    if (approval === 'waiting')
      throw new AppError('conflict', 'This voucher waits for a second admin to approve it. Try again later.');
    if (approval === 'rejected') throw new AppError('gone', 'This voucher was not approved.');
    const { balance, isRepeated } = await moveUnits(ctx, write, {
      userId,
      amount: voucher.units,
      kind: 'voucher',
      key: `voucher:${voucher.id}:${userId}`,
      referenceId: voucher.id,
      note: voucher.note || 'Voucher',
    });
    if (isRepeated) throw new AppError('conflict', 'You have redeemed this voucher already.');
    // Last, because others wait for it; when it has nothing left, all of this did not happen.
    const [used] = await write.tx
      .update(vouchers)
      .set({ redeemed: sql`${vouchers.redeemed} + 1` })
      .where(
        and(
          eq(vouchers.id, voucher.id),
          lt(vouchers.redeemed, vouchers.count),
          or(isNull(vouchers.expiresAt), gt(vouchers.expiresAt, ctx.now())),
        ),
      )
      .returning();
    if (!used) throw new AppError('gone', 'This voucher is used up or has expired.');
    return { units: voucher.units, balance };
  });
}
