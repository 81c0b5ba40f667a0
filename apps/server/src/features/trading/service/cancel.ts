import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { type ConnectionRow, type OrderRow, tradingOrders } from '../table.ts';
import { accountOf, saying } from './exchanges.ts';
import { applyReport, changeOrder } from './journal.ts';

/** Asks the exchange to cancel it. What was filled meanwhile stays filled, and is written down. */
export async function cancelAtExchange(ctx: Context, connection: ConnectionRow, order: OrderRow): Promise<OrderRow> {
  if (order.state === 'formed' && order.sentAt === null) {
    const canceled = await ctx.write(async (write) => {
      const isUnsent = and(eq(tradingOrders.id, order.id), eq(tradingOrders.state, 'formed'));
      const [row] = await write.tx.select().from(tradingOrders).where(isUnsent).for('update');
      // It may have been sent since it was read.
      if (!row || row.sentAt) return null;
      return changeOrder(ctx, write, connection, row, { state: 'canceled', reason: 'Canceled before it was sent' });
    });
    if (canceled) return canceled;
  }
  const report = await saying(accountOf(ctx, connection).cancel(order.clientId, order.symbol));
  return (await ctx.write((write) => applyReport(ctx, write, connection, order.id, report))) ?? order;
}

/** Answers how many were canceled. One that cannot be is no reason to leave the others. */
export async function cancelOpen(ctx: Context, connection: ConnectionRow, symbol?: string): Promise<number> {
  const orders = await ctx.db
    .select()
    .from(tradingOrders)
    .where(
      and(
        eq(tradingOrders.connectionId, connection.id),
        inArray(tradingOrders.state, ['formed', 'open']),
        symbol ? eq(tradingOrders.symbol, symbol) : undefined,
      ),
    );
  let canceled = 0;
  for (const order of orders) {
    try {
      const { state } = await cancelAtExchange(ctx, connection, order);
      if (state === 'canceled') canceled++;
    } catch (error) {
      ctx.log.warn({ err: error, orderId: order.id }, 'order could not be canceled');
    }
  }
  return canceled;
}
