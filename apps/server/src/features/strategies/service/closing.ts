import { createHash } from 'node:crypto';
import type { Market } from '@atoll/trading';
import type { Decision } from '@atoll/trading/backtest/live/live-types';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { marketsOf } from '../../trading/service/markets.ts';
import { tradingFills, tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions } from '../table.ts';
import { advanceKind, closingReason, refuseOpen, storeDecisions } from './decisions.ts';
import { exchangeOf } from './runs.ts';

/** Before those of bars: whoever stops wants out. */
const priority = 10;

/** The id of a decision that is ours and not the strategy's. */
const decisionId = (...parts: string[]) => createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);

export interface FillPart {
  amount: string;
  price: string;
  fee: string;
  feeAsset: string;
  at: Date;
}

/**
 * What of a purchase can be sold again: a fee in the base was never received, and less than a step cannot be sold, so that a
 * strategy that held it would never be without a position.
 */
export function receivedOf(side: 'buy' | 'sell', symbol: string, parts: FillPart[], step: number): number {
  const all = parts.reduce((sum, { amount }) => sum + Number(amount), 0);
  if (side === 'sell') return all;
  const [base = ''] = symbol.split('/');
  const fee = parts.filter(({ feeAsset }) => feeAsset === base).reduce((sum, part) => sum + Number(part.fee), 0);
  return Number((Math.floor((all - fee) / step + 1e-9) * step).toFixed(12));
}

export const stepOf = (known: Map<string, Market>, symbol: string) => Number(known.get(symbol)?.amountStep ?? 1e-8);

/** Answers how to close a run within a transaction; what it needs to know of the exchange is asked for before. */
export async function preparedClosing(ctx: Context, run: RunRow): Promise<(write: Write) => Promise<void>> {
  const known = await marketsOf(ctx, exchangeOf(run.settings));
  return (write) => closePositions(ctx, write, run, known);
}

/**
 * Cancels what waits and sells what it holds, by what was really filled: the strategy may not have been told of all of it.
 * What was decided and not ordered yet is not ordered any more.
 */
async function closePositions(ctx: Context, write: Write, run: RunRow, known: Map<string, Market>): Promise<void> {
  const { tx, enqueue } = write;
  await refuseOpen(write, run.id, 'The run was stopped.');
  const orders = await tx
    .select({ decisionId: strategyDecisions.id, order: tradingOrders })
    .from(strategyDecisions)
    .innerJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .where(and(eq(strategyDecisions.runId, run.id), sql`${strategyDecisions.decision} ->> 'kind' = 'place'`));
  const ids = orders.map(({ order }) => order.id);
  const fills = ids.length > 0 ? await tx.select().from(tradingFills).where(inArray(tradingFills.orderId, ids)) : [];
  const byOrder = Map.groupBy(fills, ({ orderId }) => orderId);
  const held = new Map<string, number>();
  for (const { order } of orders) {
    const { side, symbol } = order;
    const amount = receivedOf(side, symbol, byOrder.get(order.id) ?? [], stepOf(known, symbol));
    held.set(symbol, (held.get(symbol) ?? 0) + (side === 'buy' ? amount : -amount));
  }
  const shared = { time: (run.lastBar ?? 0) + 1, reason: closingReason };
  const waiting = orders.filter(({ order: { state } }) => state === 'formed' || state === 'open');
  const decisions: Decision[] = [
    ...waiting.map(({ decisionId: id, order: { symbol } }): Decision => {
      return { ...shared, kind: 'cancel', id: decisionId(run.id, 'cancel', id), symbol, order: id };
    }),
    ...[...held].flatMap(([symbol, amount]): Decision[] => {
      if (amount < stepOf(known, symbol)) return [];
      const order = { symbol, side: 'sell', type: 'market', price: null, stopPrice: null } as const;
      const rounded = Number(amount.toFixed(12));
      return [{ ...shared, kind: 'place', id: decisionId(run.id, 'close', symbol), amount: rounded, ...order }];
    }),
  ];
  await storeDecisions(ctx, tx, run.id, decisions);
  await enqueue(advanceKind, { run_id: run.id }, { key: run.id, priority });
}
