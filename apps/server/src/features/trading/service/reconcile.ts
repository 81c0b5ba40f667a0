import { decimal, type OrderReport } from '@atoll/trading';
import { and, eq, exists, gte, inArray, isNotNull, isNull, lt, not, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { type ConnectionRow, exchangeConnections, tradingOrders } from '../table.ts';
import { valueQuote } from './balances.ts';
import { accountOf } from './exchanges.ts';
import { applyReport } from './journal.ts';
import { marketsOf } from './markets.ts';
import { ask, isTooLate, mark, NotYetKnown, record } from './send.ts';

const isUnfinished = inArray(tradingOrders.state, ['formed', 'open']);

/** Accounts without open orders are compared too, for what other programs did there; less often, as that costs more. */
const idleMs = 10 * 60_000;
const idleAtOnce = 10;

/** Brings the journal up to what the exchange knows: at the start, and every minute. */
export const reconcileJob = defineJob({
  kind: 'trading.reconcile',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx }) {
    const unfinished = ctx.db
      .select({ id: tradingOrders.id })
      .from(tradingOrders)
      .where(and(eq(tradingOrders.connectionId, exchangeConnections.id), isUnfinished));
    const hasUnfinished = exists(unfinished);
    const isIdle = and(isNotNull(exchangeConnections.sealedKey), isOverdue(ctx), not(hasUnfinished));
    const of = (which: typeof isIdle) =>
      ctx.db
        .select()
        .from(exchangeConnections)
        .where(and(isNull(exchangeConnections.deletedAt), which));
    const busy = await of(hasUnfinished);
    // In any order: those that fail must not keep the others from their turn.
    const idle = await of(isIdle).orderBy(sql`random()`).limit(idleAtOnce);
    for (const connection of [...busy, ...idle]) await reconcile(ctx, connection);
  },
});

const isOverdue = (ctx: Context) => {
  const { checkedAt } = exchangeConnections;
  return or(isNull(checkedAt), lt(checkedAt, new Date(ctx.now().getTime() - idleMs)));
};

export const reconcileSchedule = { cron: '* * * * *', job: reconcileJob, payload: {}, isRunAtStart: true };

/** An exchange that cannot be asked is no reason to leave the others; that it could not is shown beside the connection. */
export async function reconcile(ctx: Context, connection: ConnectionRow): Promise<void> {
  const problem = await compare(ctx, connection).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const now = ctx.now();
  const isOld = now.getTime() - (connection.checkedAt?.getTime() ?? 0) >= idleMs;
  if (problem === connection.problem && (problem || !isOld)) return;
  await ctx.write(async ({ tx, emit }) => {
    const checkedAt = problem ? connection.checkedAt : now;
    await tx.update(exchangeConnections).set({ problem, checkedAt }).where(eq(exchangeConnections.id, connection.id));
    if (problem !== connection.problem)
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
    if (report) await record(ctx, connection, order, report);
    else if (order.sentAt || order.state === 'open') await ask(ctx, connection, order).catch(ignoreUnknown);
    // Whatever became of its job, it is not left as being sent.
    else if (isTooLate(ctx, order)) await ctx.write((write) => mark(ctx, write, { order, connection }));
  }
  for (const report of reports.values()) await adopt(ctx, connection, report);
  const since = connection.checkedAt ?? connection.createdAt;
  if (ctx.now().getTime() - since.getTime() >= idleMs) await adoptEnded(ctx, connection, since);
}

const symbolsAtOnce = 10;
const symbolsMs = 30 * 86_400_000;
/** What was placed just before it was last asked may have come after. */
const overlapMs = 60_000;

/** What other programs bought and sold since, in the markets of what is owned and was traded here lately. */
async function adoptEnded(ctx: Context, connection: ConnectionRow, since: Date): Promise<void> {
  if (connection.type === 'demo') return;
  const account = accountOf(ctx, connection);
  const ofConnection = eq(tradingOrders.connectionId, connection.id);
  const lately = gte(tradingOrders.createdAt, new Date(ctx.now().getTime() - symbolsMs));
  const traded = await ctx.db
    .selectDistinct({ symbol: tradingOrders.symbol })
    .from(tradingOrders)
    .where(and(ofConnection, lately));
  const markets = await marketsOf(ctx, connection.type);
  const owned = (await account.balances()).map(({ asset }) => `${asset}/${valueQuote}`);
  const symbols = [...new Set([...traded.map(({ symbol }) => symbol), ...owned])].filter((each) => markets.has(each));
  for (const symbol of symbols.slice(0, symbolsAtOnce)) {
    const clientIds = await account.filledSince(symbol, since.getTime() - overlapMs);
    const known = await ctx.db
      .select({ clientId: tradingOrders.clientId })
      .from(tradingOrders)
      .where(and(ofConnection, inArray(tradingOrders.clientId, clientIds)));
    const isKnown = new Set(known.map(({ clientId }) => clientId));
    for (const clientId of clientIds) {
      const report = isKnown.has(clientId) ? null : await account.find(clientId, symbol);
      if (report) await adopt(ctx, connection, report);
    }
  }
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
    if (made) await applyReport(ctx, write, connection, made.id, report);
  });
}
