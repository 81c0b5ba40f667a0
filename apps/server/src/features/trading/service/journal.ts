import { topics } from '@atoll/contract';
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
import { message } from '../../../platform/realtime/stream.ts';
import { type ConnectionRow, type OrderRow, tradingFills, tradingOrders } from '../table.ts';
import { viewOrder } from '../view.ts';
import { begin, insertFill } from './statements.ts';

type OrderChange = Partial<Pick<OrderRow, 'state' | 'reason' | 'sentAt' | 'absences'>>;

type OfConnection = Pick<ConnectionRow, 'type'>;

/** Its owner's pages show it from what is known here, without reading it again. */
export async function publishOrder(write: Write, order: OrderRow, { type }: OfConnection): Promise<void> {
  const { id, userId, state, source } = order;
  await write.emit('order.changed', { order_id: id, user_id: userId, state, source });
  write.publish(message(topics.trading, { userId }, 'order_changed', { order: viewOrder(order, type) }));
}

/** Writes down what is known of an order now, and tells its owner. */
export async function changeOrder(
  ctx: Context,
  write: Write,
  connection: OfConnection,
  order: OrderRow,
  change: OrderChange,
): Promise<OrderRow> {
  const [row] = await write.tx
    .update(tradingOrders)
    .set({ ...change, updatedAt: ctx.now() })
    .where(eq(tradingOrders.id, order.id))
    .returning();
  const changed = row ?? order;
  await publishOrder(write, changed, connection);
  return changed;
}

/** What is known of an order, as its row has it. */
export const columnsOf = ({ state, exchangeId, filled, fills, reason }: KnownOrder) => ({
  ...{ state, exchangeId, filled, reason, average: averagePrice(fills), fees: feesByAsset(fills) },
});

/** They travel with the commit. */
export function storeFills(write: Write, orderId: string, fills: readonly Fill[]): void {
  for (const { id: fillId, amount, price, fee, feeAsset, at } of fills) {
    begin(write, insertFill({ orderId, fillId, amount, price, fee, feeAsset, at: new Date(at) }));
  }
}

/** What the exchange says, merged with what is written down; nothing is told where nothing is new. */
export async function applyReport(
  ctx: Context,
  write: Write,
  connection: OfConnection,
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
  storeFills(write, id, added);
  const [row] = await tx
    .update(tradingOrders)
    .set({ ...columnsOf(merged), absences: 0, updatedAt: ctx.now() })
    .where(eq(tradingOrders.id, id))
    .returning();
  if (row) await publishOrder(write, row, connection);
  return row ?? order;
}
