import { createHash } from 'node:crypto';
import { decimal, floorToStep, zero } from '@atoll/trading';
import type { Decision, Placing } from '@atoll/trading/backtest/live/live-types';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { requestOf } from '../../trading/service/gate.ts';
import { marketsOf, tickersOf } from '../../trading/service/markets.ts';
import { cancelOne } from '../../trading/service/orders.ts';
import { placeOrder } from '../../trading/service/place.ts';
import { tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions } from '../table.ts';
import { readBooks, stepOf } from './books.ts';
import { exchangeOf } from './runs.ts';

export const advanceKind = { kind: 'strategies.advance', payload: z.object({ run_id: z.string() }) };
/** The id of a decision that is ours and not the strategy's. */
export const decisionId = (...parts: string[]) =>
  createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);
/** Of the sale that ends a run. */
export const closingId = (runId: string, symbol: string) => decisionId(runId, 'close', symbol);

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
      end = { state: 'ordered', orderId: await carryOut(owner, run, connectionId, decision) };
    } catch (error) {
      // What the exchange or the limits refuse is final; all else is tried again with the next step.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // What is to be sold because it was stopped waits until it may be ordered.
      if (id === closingId(run.id, decision.symbol) && error.extras.details?.code === 'too_many_orders') throw error;
      end = { state: 'refused', reason: error.message };
    }
    await owner.write(async ({ tx, emit }) => {
      await tx.update(strategyDecisions).set(end).where(eq(strategyDecisions.id, id));
      if (end.orderId && decision.kind === 'place')
        await emit('strategy.ordered', { run_id: run.id, decision_id: id, order_id: end.orderId });
    });
  }
}

const beyond = (message: string) => new AppError('conflict', message);

/**
 * The amount that is ordered. A process in which people's code ran has named all of the decision, so it is held against the
 * run and its books; what it says of its own money and holdings counts for nothing here.
 */
async function keepToLimits(owner: Context, run: RunRow, decision: Placing): Promise<number> {
  const { id, symbol, side, type, amount, time } = decision;
  const [base = '', quote = ''] = symbol.split('/');
  // One that was placed before the server was ended is placed, whatever its price is now.
  const [placed] = await owner.db
    .select({ id: tradingOrders.id })
    .from(tradingOrders)
    .where(and(eq(tradingOrders.userId, run.ownerId), eq(tradingOrders.requestId, requestIdOf(id))));
  if (placed) return amount;
  if (!run.settings.symbols.includes(symbol)) throw beyond(`The run does not trade ${symbol}.`);
  if (time > owner.now().getTime()) throw beyond('It was decided for a time that has not come.');
  const exchange = exchangeOf(run.settings);
  const known = await marketsOf(owner, exchange);
  const books = await readBooks(owner.db, run, known);
  const step = stepOf(known, symbol);
  if (side === 'sell') {
    const held = books.holdings.get(symbol);
    // Of a run that is stopped all is sold, also what an exit holds that is being canceled.
    const free = (id === closingId(run.id, symbol) ? held?.amount : held?.free) ?? 0;
    if (amount <= free + step / 2) return amount;
    throw beyond(`It would sell ${amount} ${base}. The run bought ${Math.max(free, 0)} that no other order sells.`);
  }
  const last = (await tickersOf(owner, exchange)).get(symbol)?.last ?? Number.POSITIVE_INFINITY;
  const { price, stopPrice } = requestOf({ ...orderOf(decision), connection_id: '' }, id);
  const reckoned = Number(price ?? stopPrice ?? last);
  const { max_order } = run.limits;
  if (max_order !== undefined && amount * reckoned > max_order) {
    throw beyond(`Its value is more than the ${max_order} ${quote} that you set for one order.`);
  }
  const market = known.get(symbol);
  const unit = reckoned * (1 + Math.max(Number(market?.takerFee ?? 0), Number(market?.makerFee ?? 0)));
  const free = Math.max(books.freeCash, 0);
  if (amount * unit <= free + mostRounded) return amount;
  // The price has moved since the bar closed: what was to be bought with all the cash is bought with what there is.
  const affordable = Number.isFinite(unit) ? floorToStep(free / unit, step) : zero;
  if (type === 'market' && amount * unit <= free * (1 + mostMoved) && affordable.gt(0)) return Number(affordable);
  const [needed, left] = [amount * unit, free].map((value) => Math.round(value * 100) / 100);
  throw beyond(`It needs ${needed} ${quote}. The run has ${left} of its capital free.`);
}

/** In the quote: sums of doubles are not exact. */
const mostRounded = 1e-6;
/** By how much a price may have moved between the close of a bar and the order. */
const mostMoved = 0.05;

const orderOf = ({ symbol, side, type, amount, price, stopPrice }: Placing) => ({
  ...{ symbol, side, type, amount: decimal(amount).toFixed() },
  ...{ price: text(price), stop_price: text(stopPrice) },
});

async function carryOut(owner: Context, run: RunRow, connectionId: string, decision: Decision): Promise<string> {
  if (decision.kind === 'cancel') {
    // An order of this run only, whatever the process names.
    const [placed] = await owner.db
      .select({ orderId: strategyDecisions.orderId })
      .from(strategyDecisions)
      .where(
        and(
          eq(strategyDecisions.id, decision.order),
          eq(strategyDecisions.runId, run.id),
          isNotNull(strategyDecisions.orderId),
        ),
      );
    if (!placed?.orderId) throw new AppError('conflict', 'There is no such order.');
    return (await cancelOne(owner, placed.orderId)).id;
  }
  const amount = await keepToLimits(owner, run, decision);
  const input = {
    ...orderOf({ ...decision, amount }),
    connection_id: connectionId,
    request_id: requestIdOf(decision.id),
  };
  return (await placeOrder(owner, input, 'strategy')).id;
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
