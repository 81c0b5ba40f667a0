import { ExchangeBusy, ExchangeRefusal, type OrderReport } from '@atoll/trading';
import { and, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { users } from '../../users/table.ts';
import { type ConnectionRow, exchangeConnections, type OrderRow, tradingOrders } from '../table.ts';
import { cancelAtExchange } from './cancel.ts';
import { accountOf } from './exchanges.ts';
import { applyReport, changeOrder } from './journal.ts';

/** As often, and for so long, must the exchange say that it does not know an order before that is believed. */
const absencesNeeded = 3;
const absentAfterMs = 30_000;

/**
 * Sends one order. `sentAt` is stored before it is: whoever finds it set, after a crash or an answer that never came, asks
 * what became of the order and does not send it again. One that never arrived is rejected: the price it was meant for is gone.
 */
export const sendJob = defineJob({
  kind: 'trading.send',
  payload: z.object({ order_id: z.uuid() }),
  concurrency: 20,
  perOwner: 5,
  attempts: 20,
  async run({ ctx, payload, write }) {
    const found = await findOrder(ctx, payload.order_id);
    if (!found) return;
    const { order, connection } = found;
    if (order.state !== 'formed') return cancelWhereHalted(ctx, order);
    const account = accountOf(ctx, connection);
    if (order.sentAt) return ask(ctx, connection, order);
    if (!(await write((now) => mark(ctx, now, found)))) return;
    try {
      const { clientId, symbol, side, type, amount, price, stopPrice } = order;
      const report = await account.place({ clientId, symbol, side, type, amount, price, stopPrice });
      const stored = await write((now) => applyReport(ctx, now, connection, order.id, report));
      if (stored) await cancelWhereHalted(ctx, stored);
    } catch (error) {
      if (error instanceof ExchangeRefusal) {
        await write((now) => changeOrder(ctx, now, connection, order, { state: 'rejected', reason: error.message }));
        return;
      }
      // It did not happen, so it can be sent when the exchange wants to hear of us again.
      if (error instanceof ExchangeBusy)
        await write((now) => changeOrder(ctx, now, connection, order, { sentAt: null }));
      throw error;
    }
  },
});

/** An exchange that wanted to hear nothing for so long gets another price than was meant. */
const sendWithinMs = 30 * 60_000;
export const isTooLate = (ctx: Context, { createdAt }: OrderRow): boolean =>
  ctx.now().getTime() - createdAt.getTime() > sendWithinMs;

/** Marks it as sent, unless it is canceled by now or must not be sent any more. */
export async function mark(ctx: Context, write: Write, { order, connection }: Found): Promise<boolean> {
  const reason = (await reasonToKeep(write, order)) ?? (isTooLate(ctx, order) ? 'It could not be sent in time' : null);
  const isUnsent = and(eq(tradingOrders.id, order.id), eq(tradingOrders.state, 'formed'), isNull(tradingOrders.sentAt));
  const [unsent] = await write.tx.select().from(tradingOrders).where(isUnsent).for('update');
  if (!unsent) return false;
  if (reason) await changeOrder(ctx, write, connection, unsent, { state: 'canceled', reason });
  else await write.tx.update(tradingOrders).set({ sentAt: ctx.now() }).where(eq(tradingOrders.id, order.id));
  return reason === null;
}

/** Locked: halting and suspending wait until it is marked as sent, and then find it; or are seen here. */
async function reasonToKeep({ tx }: Write, { connectionId }: OrderRow): Promise<string | null> {
  const [row] = await tx
    .select({ connection: exchangeConnections, suspendedAt: users.suspendedAt, deletedAt: users.deletedAt })
    .from(exchangeConnections)
    .innerJoin(users, eq(users.id, exchangeConnections.userId))
    .where(eq(exchangeConnections.id, connectionId))
    .for('share');
  if (!row || row.suspendedAt || row.deletedAt) return 'The account is not active';
  if (row.connection.state === 'halted') return 'Trading was halted';
  return row.connection.isArmed ? null : 'Trading with real money was turned off';
}

/** Halting cancels what is known; what was under way then is canceled as soon as the exchange has told of it. */
async function cancelWhereHalted(ctx: Context, { id, state, source }: OrderRow): Promise<void> {
  if (state !== 'open' || source === 'foreign') return;
  const found = await findOrder(ctx, id);
  if (found?.connection.state === 'halted') await cancelAtExchange(ctx, found.connection, found.order);
}

export async function record(
  ctx: Context,
  connection: ConnectionRow,
  order: OrderRow,
  report: OrderReport,
): Promise<void> {
  const stored = await ctx.write((write) => applyReport(ctx, write, connection, order.id, report));
  if (stored) await cancelWhereHalted(ctx, stored);
}

interface Found {
  order: OrderRow;
  connection: ConnectionRow;
}

export async function findOrder(ctx: Context, id: string): Promise<Found | undefined> {
  const [row] = await ctx.db
    .select({ order: tradingOrders, connection: exchangeConnections })
    .from(tradingOrders)
    .innerJoin(exchangeConnections, eq(exchangeConnections.id, tradingOrders.connectionId))
    .where(eq(tradingOrders.id, id));
  return row;
}

export class NotYetKnown extends Error {}

/** The testnet forgets everything about once a month: that is no loss and no fault. */
function endOfAbsent({ type }: ConnectionRow, { state }: OrderRow): Pick<OrderRow, 'state' | 'reason'> {
  if (state === 'formed') return { state: 'rejected', reason: 'The exchange never received it' };
  if (type === 'binance_testnet') return { state: 'canceled', reason: 'The testnet was reset' };
  return { state: 'expired', reason: 'The exchange does not know it any more' };
}

/** What became of an order, by the exchange's own word. Fails while that is not known, and is tried again. */
export async function ask(ctx: Context, connection: ConnectionRow, order: OrderRow): Promise<void> {
  const report = await accountOf(ctx, connection).find(order.clientId, order.symbol);
  if (report) return record(ctx, connection, order, report);
  const absences = order.absences + 1;
  const isOld = ctx.now().getTime() - (order.sentAt?.getTime() ?? 0) > absentAfterMs;
  if (absences >= absencesNeeded && isOld) {
    await ctx.write((write) =>
      changeOrder(ctx, write, connection, order, { ...endOfAbsent(connection, order), absences }),
    );
    return;
  }
  await ctx.write((write) => changeOrder(ctx, write, connection, order, { absences }));
  throw new NotYetKnown('The exchange does not know the order yet');
}
