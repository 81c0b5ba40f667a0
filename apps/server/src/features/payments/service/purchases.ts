import type { UnitPurchase, UnitPurchaseInfo } from '@atoll/contract';
import { leastPurchase, mostPurchase } from '@atoll/contract/payments/values';
import { and, eq, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, denied, notFound } from '../../../platform/errors.ts';
import { requireSelf } from '../../users/service.ts';
import { type UnitPurchaseRow, unitPurchases } from '../table.ts';
import { paymentsOf } from './payments.ts';

const packages = [500, 1_000, 2_900, 9_900];

export function purchaseInfo(ctx: Context): UnitPurchaseInfo {
  const { provider, isAvailable, message } = paymentsOf(ctx);
  return {
    provider,
    is_available: isAvailable,
    message,
    currency: 'usd',
    unit_price: 1,
    least_units: leastPurchase,
    most_units: mostPurchase,
    packages,
  };
}

const view = ({ id, units, state, checkoutUrl, createdAt }: UnitPurchaseRow): UnitPurchase => ({
  id,
  units,
  state,
  url: state === 'pending' ? checkoutUrl : null,
  created_at: createdAt.toISOString(),
});

export async function purchaseById(ctx: Context, id: string): Promise<UnitPurchase> {
  const [row] = await ctx.db
    .select()
    .from(unitPurchases)
    .where(and(eq(unitPurchases.id, id), eq(unitPurchases.userId, ctx.actor.userId ?? nobody)));
  if (!row) throw notFound('This purchase');
  return view(row);
}

/** The purchase is stored before the provider is asked: whatever it says later finds it. */
export async function openPurchase(
  ctx: Context,
  { units, request_id = newId() }: { units: number; request_id?: string },
): Promise<UnitPurchase> {
  const port = paymentsOf(ctx);
  if (port.provider === 'manual') throw denied('disabled_in_configuration', port.message);
  const user = await requireSelf(ctx);
  const row = await storePurchase(ctx, { userId: user.id, units, requestId: request_id, provider: port.provider });
  if (row.checkoutUrl || row.state !== 'pending') return view(row);
  const address = `${ctx.config.url}/wallet?purchase=${row.id}`;
  const checkout = await port.openCheckout({
    purchaseId: row.id,
    units,
    email: user.email,
    paidUrl: address,
    canceledUrl: `${address}&canceled=true`,
  });
  const [opened] = await ctx.write(({ tx }) =>
    tx
      .update(unitPurchases)
      .set({ checkoutId: checkout.id, checkoutUrl: checkout.url })
      .where(eq(unitPurchases.id, row.id))
      .returning(),
  );
  return view(opened ?? row);
}

async function storePurchase(
  ctx: Context,
  fields: Pick<UnitPurchaseRow, 'userId' | 'units' | 'requestId' | 'provider'>,
): Promise<UnitPurchaseRow> {
  return ctx.write(async ({ tx, emit }) => {
    const [fresh] = await tx
      .insert(unitPurchases)
      .values({ ...fields, state: 'pending', createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning();
    if (fresh) {
      await emit('unit_purchase.changed', { user_id: fields.userId, purchase_id: fresh.id, state: 'pending' });
      return fresh;
    }
    const [before] = await tx
      .select()
      .from(unitPurchases)
      .where(sql`${unitPurchases.userId} = ${fields.userId} and ${unitPurchases.requestId} = ${fields.requestId}`);
    if (!before || before.units !== fields.units)
      throw new AppError('conflict', 'This request was used for something else. Send it with a new id.');
    return before;
  });
}
