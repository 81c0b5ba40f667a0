import {
  averagePrice,
  decimal,
  type Fill,
  feesByAsset,
  type KnownOrder,
  mergeReport,
  type OrderReport,
} from '@atoll/trading';
import { asc, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { type OrderRow, tradingFills, tradingOrders } from '../table.ts';

type OrderChange = Partial<Pick<OrderRow, 'state' | 'reason' | 'sentAt' | 'absences'>>;

/** Writes down what is known of an order now, and tells its owner. */
export async function changeOrder(ctx: Context, write: Write, order: OrderRow, change: OrderChange): Promise<OrderRow> {
  const [row] = await write.tx
    .update(tradingOrders)
    .set({ ...change, updatedAt: ctx.now() })
    .where(eq(tradingOrders.id, order.id))
    .returning();
  const changed = row ?? order;
  await write.emit('order.changed', { order_id: changed.id, user_id: changed.userId, state: changed.state });
  return changed;
}

/** What is known of an order, as its row has it. */
export const columnsOf = ({ state, exchangeId, filled, fills, reason }: KnownOrder) => ({
  ...{ state, exchangeId, filled, reason, average: averagePrice(fills), fees: feesByAsset(fills) },
});

export async function storeFills(tx: Write['tx'], orderId: string, fills: readonly Fill[]): Promise<void> {
  if (fills.length === 0) return;
  await tx
    .insert(tradingFills)
    .values(
      fills.map(({ id: fillId, amount, price, fee, feeAsset, at }) => ({
        ...{ orderId, fillId, amount, price, fee, feeAsset, at: new Date(at) },
      })),
    )
    .onConflictDoNothing();
}

/** What the exchange says, merged with what is written down; nothing is told where nothing is new. */
export async function applyReport(
  ctx: Context,
  write: Write,
  id: string,
  report: OrderReport,
): Promise<OrderRow | null> {
  const { tx } = write;
  const [order] = await tx.select().from(tradingOrders).where(eq(tradingOrders.id, id)).for('update');
  if (!order) return null;
  const rows = await tx.select().from(tradingFills).where(eq(tradingFills.orderId, id)).orderBy(asc(tradingFills.at));
  const fills = rows.map((row): Fill => ({ ...row, id: row.fillId, at: row.at.getTime() }));
  const known: KnownOrder = { ...order, fills };
  const merged = mergeReport(known, report);
  const isSame =
    merged.state === order.state && decimal(merged.filled).eq(order.filled) && merged.fills.length === fills.length;
  if (isSame && order.exchangeId) return order;
  const isKnown = new Set(fills.map((fill) => fill.id));
  const added = merged.fills.filter((fill) => !isKnown.has(fill.id));
  await storeFills(tx, id, added);
  const [row] = await tx
    .update(tradingOrders)
    .set({ ...columnsOf(merged), absences: 0, updatedAt: ctx.now() })
    .where(eq(tradingOrders.id, id))
    .returning();
  await write.emit('order.changed', { order_id: id, user_id: order.userId, state: merged.state });
  return row ?? order;
}
