import { decimal, ExchangeBusy, ExchangeRefusal, type OrderReport } from '@atoll/trading';
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { type ConnectionRow, exchangeConnections, type OrderRow, tradingOrders } from '../table.ts';
import { accountOf } from './exchanges.ts';
import { applyReport, changeOrder } from './journal.ts';

const isUnfinished = inArray(tradingOrders.state, ['formed', 'open']);

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
    const found = await find(ctx, payload.order_id);
    if (found?.order.state !== 'formed') return;
    const { order, connection } = found;
    const account = accountOf(ctx, connection);
    if (order.sentAt) return ask(ctx, connection, order);
    // Halted since it was stored: what was not sent yet stays here.
    if (connection.state === 'halted') {
      await write((now) => changeOrder(ctx, now, order, { state: 'canceled', reason: 'Trading was halted' }));
      return;
    }
    await write(async ({ tx }) => {
      await tx.update(tradingOrders).set({ sentAt: ctx.now() }).where(eq(tradingOrders.id, order.id));
    });
    try {
      const { clientId, symbol, side, type, amount, price, stopPrice } = order;
      const report = await account.place({ clientId, symbol, side, type, amount, price, stopPrice });
      await write((now) => applyReport(ctx, now, order.id, report));
    } catch (error) {
      if (error instanceof ExchangeRefusal) {
        await write((now) => changeOrder(ctx, now, order, { state: 'rejected', reason: error.message }));
        return;
      }
      // It did not happen, so it can be sent when the exchange wants to hear of us again.
      if (error instanceof ExchangeBusy) await write((now) => changeOrder(ctx, now, order, { sentAt: null }));
      throw error;
    }
  },
});

async function find(ctx: Context, id: string): Promise<{ order: OrderRow; connection: ConnectionRow } | undefined> {
  const [row] = await ctx.db
    .select({ order: tradingOrders, connection: exchangeConnections })
    .from(tradingOrders)
    .innerJoin(exchangeConnections, eq(exchangeConnections.id, tradingOrders.connectionId))
    .where(eq(tradingOrders.id, id));
  return row;
}

class NotYetKnown extends Error {}

/** The testnet forgets everything about once a month: that is no loss and no fault. */
function endOfAbsent({ type }: ConnectionRow, { state }: OrderRow): Pick<OrderRow, 'state' | 'reason'> {
  if (state === 'formed') return { state: 'rejected', reason: 'The exchange never received it' };
  if (type === 'binance_testnet') return { state: 'canceled', reason: 'The testnet was reset' };
  return { state: 'expired', reason: 'The exchange does not know it any more' };
}

/** What became of an order, by the exchange's own word. Fails while that is not known, and is tried again. */
async function ask(ctx: Context, connection: ConnectionRow, order: OrderRow): Promise<void> {
  const report = await accountOf(ctx, connection).find(order.clientId, order.symbol);
  if (report) {
    await ctx.write((write) => applyReport(ctx, write, order.id, report));
    return;
  }
  const absences = order.absences + 1;
  const isOld = ctx.now().getTime() - (order.sentAt?.getTime() ?? 0) > absentAfterMs;
  if (absences >= absencesNeeded && isOld) {
    await ctx.write((write) => changeOrder(ctx, write, order, { ...endOfAbsent(connection, order), absences }));
    return;
  }
  await ctx.write((write) => changeOrder(ctx, write, order, { absences }));
  throw new NotYetKnown('The exchange does not know the order yet');
}

/** Brings the journal up to what the exchange knows: at the start, and every minute. */
export const reconcileJob = defineJob({
  kind: 'trading.reconcile',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx }) {
    const connections = await ctx.db
      .selectDistinct({ id: tradingOrders.connectionId })
      .from(tradingOrders)
      .where(isUnfinished);
    for (const { id } of connections) {
      const [connection] = await ctx.db
        .select()
        .from(exchangeConnections)
        .where(and(eq(exchangeConnections.id, id), isNull(exchangeConnections.deletedAt)));
      if (connection) await reconcile(ctx, connection);
    }
  },
});

export const reconcileSchedule = { cron: '* * * * *', job: reconcileJob, payload: {}, isRunAtStart: true };

/** An exchange that cannot be asked is no reason to leave the others; that it could not is shown beside the connection. */
export async function reconcile(ctx: Context, connection: ConnectionRow): Promise<void> {
  const problem = await compare(ctx, connection).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (problem === connection.problem) return;
  await ctx.write(async ({ tx, emit }) => {
    const checkedAt = problem ? connection.checkedAt : ctx.now();
    await tx.update(exchangeConnections).set({ problem, checkedAt }).where(eq(exchangeConnections.id, connection.id));
    await emit('exchange.changed', { connection_id: connection.id, user_id: connection.userId, what: 'checked' });
  });
}

async function compare(ctx: Context, connection: ConnectionRow): Promise<void> {
  const ofConnection = eq(tradingOrders.connectionId, connection.id);
  const account = accountOf(ctx, connection);
  const reports = new Map((await account.openOrders()).map((report) => [report.clientId, report]));
  const clientIds = [...reports.keys()];
  const known = await ctx.db
    .select()
    .from(tradingOrders)
    .where(
      and(
        ofConnection,
        clientIds.length > 0 ? or(isUnfinished, inArray(tradingOrders.clientId, clientIds)) : isUnfinished,
      ),
    );
  for (const order of known) {
    const report = reports.get(order.clientId);
    reports.delete(order.clientId);
    if (report) await ctx.write((write) => applyReport(ctx, write, order.id, report));
    else if (order.sentAt || order.state === 'open') await ask(ctx, connection, order).catch(ignoreUnknown);
  }
  for (const report of reports.values()) await adopt(ctx, connection, report);
}

/** It may only not be there yet. */
const ignoreUnknown = (error: unknown) => {
  if (!(error instanceof NotYetKnown)) throw error;
};

/** An order that came to the exchange by another way: shown, counted as owned, and marked. */
async function adopt(ctx: Context, connection: ConnectionRow, report: OrderReport): Promise<void> {
  await ctx.write(async (write) => {
    const { clientId, symbol, side, type, amount, price, stopPrice } = report;
    const [made] = await write.tx
      .insert(tradingOrders)
      .values({
        ...{ clientId, symbol, side, type, amount, price, stopPrice, source: 'foreign', state: 'open' },
        ...{ userId: connection.userId, connectionId: connection.id, sentAt: ctx.now() },
        value: decimal(amount)
          .times(price ?? stopPrice ?? 0)
          .toFixed(),
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (made) await applyReport(ctx, write, made.id, report);
  });
}
