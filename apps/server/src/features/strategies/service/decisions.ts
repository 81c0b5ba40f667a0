import { decimal } from '@atoll/trading';
import type { Decision } from '@atoll/trading/backtest/live/live-types';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { tickersOf } from '../../trading/service/markets.ts';
import { cancelOne } from '../../trading/service/orders.ts';
import { placeOrder } from '../../trading/service/place.ts';
import { tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions } from '../table.ts';
import { exchangeOf } from './runs.ts';

export const advanceKind = { kind: 'strategies.advance', payload: z.object({ run_id: z.string() }) };
/** Of what is ordered because a run is stopped. */
export const closingReason = 'Stopped';

const text = (value: number | null) => (value === null ? null : decimal(value).toFixed());

/** Orders what was decided, in its order. Sent again, an order is the one that was placed. */
export async function orderDecided(owner: Context, run: RunRow): Promise<void> {
  const { connectionId } = run;
  if (!connectionId) return;
  const waiting = await owner.db
    .select()
    .from(strategyDecisions)
    .where(and(eq(strategyDecisions.runId, run.id), eq(strategyDecisions.state, 'decided')))
    .orderBy(asc(strategyDecisions.bar), asc(strategyDecisions.sequence));
  for (const { id, decision } of waiting) {
    // It may have been stopped since they were read.
    const [still] = await owner.db
      .select({ id: strategyDecisions.id })
      .from(strategyDecisions)
      .where(and(eq(strategyDecisions.id, id), eq(strategyDecisions.state, 'decided')));
    if (!still) continue;
    let end: { state: 'ordered' | 'refused'; reason?: string; orderId?: string };
    try {
      await keepToLimits(owner, run, decision);
      end = { state: 'ordered', orderId: await carryOut(owner, connectionId, decision) };
    } catch (error) {
      // What the exchange or the limits refuse is final; all else is tried again with the next step.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // What is to be sold because it was stopped waits until it may be ordered.
      if (decision.reason === closingReason && error.extras.details?.code === 'too_many_orders') throw error;
      end = { state: 'refused', reason: error.message };
    }
    await owner.write(async ({ tx, emit }) => {
      await tx.update(strategyDecisions).set(end).where(eq(strategyDecisions.id, id));
      if (end.orderId && decision.kind === 'place')
        await emit('strategy.ordered', { run_id: run.id, decision_id: id, order_id: end.orderId });
    });
  }
}

/** A purchase that its owner would not have wanted. What is held can always be sold. */
async function keepToLimits(owner: Context, run: RunRow, decision: Decision): Promise<void> {
  const { max_order } = run.limits;
  if (max_order === undefined || decision.kind !== 'place' || decision.side !== 'buy') return;
  const { symbol, amount, price, stopPrice } = decision;
  // One that was placed before the server was ended is placed, whatever its price is now.
  const [placed] = await owner.db
    .select({ id: tradingOrders.id })
    .from(tradingOrders)
    .where(and(eq(tradingOrders.userId, run.ownerId), eq(tradingOrders.requestId, requestIdOf(decision.id))));
  if (placed) return;
  const last = (await tickersOf(owner, exchangeOf(run.settings))).get(symbol)?.last;
  const value = amount * (price ?? stopPrice ?? Number(last ?? Number.POSITIVE_INFINITY));
  if (value <= max_order) return;
  const quote = symbol.split('/')[1] ?? '';
  throw new AppError('conflict', `Its value is more than the ${max_order} ${quote} that you set for one order.`);
}

async function carryOut(owner: Context, connectionId: string, decision: Decision): Promise<string> {
  if (decision.kind === 'cancel') {
    const [placed] = await owner.db
      .select({ orderId: strategyDecisions.orderId })
      .from(strategyDecisions)
      .where(and(eq(strategyDecisions.id, decision.order), isNotNull(strategyDecisions.orderId)));
    if (!placed?.orderId) throw new AppError('conflict', 'There is no such order.');
    return (await cancelOne(owner, placed.orderId)).id;
  }
  const { symbol, side, type, amount, price, stopPrice } = decision;
  const order = await placeOrder(
    owner,
    {
      connection_id: connectionId,
      request_id: requestIdOf(decision.id),
      symbol,
      side,
      type,
      amount: decimal(amount).toFixed(),
      price: text(price),
      stop_price: text(stopPrice),
    },
    'strategy',
  );
  return order.id;
}

export async function refuseOpen({ tx }: Write, runId: string, reason: string): Promise<void> {
  await tx
    .update(strategyDecisions)
    .set({ state: 'refused', reason })
    .where(and(eq(strategyDecisions.runId, runId), eq(strategyDecisions.state, 'decided')));
}

/** By it an order that was sent before is known. */
const requestIdOf = (id: string) =>
  `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20, 32)}`;

/** Those that are stored already are the same. */
export async function storeDecisions(
  ctx: Context,
  tx: Write['tx'],
  runId: string,
  decisions: Decision[],
): Promise<void> {
  for (const [sequence, decision] of decisions.entries()) {
    const { id, time: bar } = decision;
    await tx
      .insert(strategyDecisions)
      .values({ id, runId, bar, sequence, decision, state: 'decided', at: ctx.now() })
      .onConflictDoNothing();
  }
}
