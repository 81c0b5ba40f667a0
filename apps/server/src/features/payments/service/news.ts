import type { PurchaseState } from '@atoll/contract';
import { and, eq, gt, or } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { users } from '../../users/table.ts';
import { moveUnits } from '../../wallet/service/units.ts';
import { paymentEvents, type UnitPurchaseRow, unitPurchases } from '../table.ts';
import { paymentsOf } from './payments.ts';
import type { PaymentFact, PaymentNews } from './port.ts';

/** Carries out what a provider says, once, in whatever order it comes. */
export async function takeNews(ctx: Context, news: PaymentNews): Promise<void> {
  const port = paymentsOf(ctx);
  const { fact, paymentId } = news;
  if (!fact) return;
  const purchaseId =
    news.purchaseId ?? (paymentId && !(await isKnown(ctx, paymentId)) ? await port.purchaseOf(paymentId) : null);
  await ctx.write(async (write) => {
    const { id, type } = news;
    const [first] = await write.tx
      .insert(paymentEvents)
      .values({ provider: port.provider, id, type, receivedAt: ctx.now() })
      .onConflictDoNothing()
      .returning();
    if (!first) return;
    const purchase = await lockPurchase(write, purchaseId, paymentId);
    // The account with the provider may be used for other things too.
    if (!purchase) return ctx.log.warn({ id, type }, 'A payment that is not for a purchase here');
    if (fact.is === 'paid' && fact.amount < purchase.units)
      return ctx.log.error({ id, purchase: purchase.id }, 'Less was paid than the units cost; nothing is credited');
    const known = { ...purchase, ...learned(purchase, fact, ctx.now()), paymentId: purchase.paymentId ?? paymentId };
    await settle(ctx, write, known, purchase.state);
  });
}

async function isKnown(ctx: Context, paymentId: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: unitPurchases.id })
    .from(unitPurchases)
    .where(eq(unitPurchases.paymentId, paymentId));
  return row !== undefined;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function lockPurchase({ tx }: Write, id: string | null, paymentId: string | null) {
  const [row] = await tx
    .select()
    .from(unitPurchases)
    .where(
      or(
        id && uuid.test(id) ? eq(unitPurchases.id, id) : undefined,
        paymentId ? eq(unitPurchases.paymentId, paymentId) : undefined,
      ) ?? eq(unitPurchases.checkoutId, ''),
    )
    .for('update');
  return row ?? null;
}

/** What is known never goes back: a refund is not undone by news of the payment that came late. */
function learned(purchase: UnitPurchaseRow, fact: PaymentFact, now: Date): Partial<UnitPurchaseRow> {
  switch (fact.is) {
    case 'paid':
      return { paidAt: purchase.paidAt ?? now };
    case 'failed':
    case 'expired':
      return { state: fact.is };
    case 'refunded':
      return { refunded: Math.max(purchase.refunded, fact.amount) };
    case 'disputed':
      if (fact.state === 'open' && purchase.disputeState) return {};
      return { disputed: fact.amount, disputeState: fact.state };
  }
}

/** What should be left of it in the wallet. */
function dueUnits({ paidAt, units, refunded, disputed, disputeState }: UnitPurchaseRow): number {
  if (!paidAt) return 0;
  const isDisputed = disputeState === 'open' || disputeState === 'lost';
  return Math.max(0, units - refunded - (isDisputed ? disputed : 0));
}

function stateOf(purchase: UnitPurchaseRow): PurchaseState {
  if (!purchase.paidAt) return purchase.state;
  if (purchase.disputeState === 'open' || purchase.disputeState === 'lost') return 'disputed';
  return purchase.refunded > 0 ? 'refunded' : 'paid';
}

/** Brings the wallet to what is due. What was paid back and is spent already stays owed, and is taken from what comes in. */
async function settle(ctx: Context, write: Write, known: UnitPurchaseRow, before: PurchaseState): Promise<void> {
  const due = dueUnits(known);
  const [user] = await write.tx
    .select({ balance: users.balance })
    .from(users)
    .where(eq(users.id, known.userId))
    .for('update');
  const amount = Math.max(due - known.credited, -(user?.balance ?? 0));
  if (amount !== 0)
    await moveUnits(ctx, write, {
      userId: known.userId,
      amount,
      kind: amount < 0 ? 'return' : known.moves === 0 ? 'top_up' : 'reversal',
      key: `purchase:${known.id}:${known.moves}`,
      referenceId: known.id,
      note:
        amount < 0 ? 'Returned by Stripe' : known.moves === 0 ? 'Paid with Stripe' : 'Dispute decided in your favor',
    });
  const credited = known.credited + amount;
  const state = stateOf(known);
  await write.tx
    .update(unitPurchases)
    .set({ ...known, state, credited, owed: Math.max(0, credited - due), moves: known.moves + (amount === 0 ? 0 : 1) })
    .where(eq(unitPurchases.id, known.id));
  if (state !== before)
    await write.emit('unit_purchase.changed', { user_id: known.userId, purchase_id: known.id, state });
}

/** Units came in: what is owed for returned payments is taken first. */
export async function collectOwed(ctx: Context, userId: string): Promise<void> {
  const isOwed = and(eq(unitPurchases.userId, userId), gt(unitPurchases.owed, 0));
  const [any] = await ctx.db.select({ id: unitPurchases.id }).from(unitPurchases).where(isOwed).limit(1);
  if (!any) return;
  await ctx.write(async (write) => {
    const owed = await write.tx.select().from(unitPurchases).where(isOwed).orderBy(unitPurchases.id).for('update');
    for (const purchase of owed) await settle(ctx, write, purchase, purchase.state);
  });
}
