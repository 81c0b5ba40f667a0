import type { Market } from '@atoll/trading';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { type OrderRow, tradingFills, tradingOrders } from '../../trading/table.ts';
import { type RunRow, strategyDecisions } from '../table.ts';

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

interface Holding {
  amount: number;
  /** What it was bought for, without fees. */
  cost: number;
  /** The part of it that no open sale holds. */
  free: number;
}

/** What a run has, by the orders that this server placed for it and by what was filled of them. */
export interface Books {
  cash: number;
  /** Cash that no open purchase holds. */
  freeCash: number;
  holdings: Map<string, Holding>;
  waiting: { decisionId: string; order: OrderRow }[];
}

const isOpen = ({ state }: OrderRow) => state === 'formed' || state === 'open';

/**
 * The books of a run. Orders are found by the id of their request and not by what was noted of them, because a server that
 * is ended between the two has placed the order all the same.
 */
export async function readBooks(
  db: Context['db'] | Write['tx'],
  run: RunRow,
  known: Map<string, Market>,
): Promise<Books> {
  const orders = await db
    .select({ decisionId: strategyDecisions.id, order: tradingOrders })
    .from(strategyDecisions)
    .innerJoin(
      tradingOrders,
      and(
        eq(tradingOrders.userId, run.ownerId),
        eq(tradingOrders.source, 'strategy'),
        sql`${tradingOrders.requestId} = ${strategyDecisions.id}::uuid`,
      ),
    )
    .where(and(eq(strategyDecisions.runId, run.id), sql`${strategyDecisions.decision} ->> 'kind' = 'place'`))
    .orderBy(strategyDecisions.bar, strategyDecisions.at, strategyDecisions.sequence);
  const ids = orders.map(({ order }) => order.id);
  const fills = ids.length > 0 ? await db.select().from(tradingFills).where(inArray(tradingFills.orderId, ids)) : [];
  const byOrder = Map.groupBy(fills, ({ orderId }) => orderId);
  const books: Books = { cash: Number(run.capital), freeCash: 0, holdings: new Map(), waiting: [] };
  let reserved = 0;
  for (const { decisionId, order } of orders) {
    const { side, symbol } = order;
    const [, quote = ''] = symbol.split('/');
    const parts = byOrder.get(order.id) ?? [];
    const held = books.holdings.get(symbol) ?? { amount: 0, cost: 0, free: 0 };
    books.holdings.set(symbol, held);
    const amount = receivedOf(side, symbol, parts, stepOf(known, symbol));
    const value = parts.reduce((sum, part) => sum + Number(part.amount) * Number(part.price), 0);
    const fee = parts.filter(({ feeAsset }) => feeAsset === quote).reduce((sum, part) => sum + Number(part.fee), 0);
    const rest = isOpen(order) ? Math.max(Number(order.amount) - Number(order.filled), 0) : 0;
    if (side === 'buy') {
      books.cash -= value + fee;
      held.amount += amount;
      held.cost += value;
      if (rest > 0) reserved += (Number(order.value) * rest) / Number(order.amount);
    } else {
      books.cash += value - fee;
      if (held.amount > 0) held.cost *= Math.max(1 - amount / held.amount, 0);
      held.amount -= amount;
      held.free -= rest;
    }
    if (isOpen(order)) books.waiting.push({ decisionId, order });
  }
  for (const held of books.holdings.values()) {
    held.amount = Number(held.amount.toFixed(12));
    held.free = Number((held.free + held.amount).toFixed(12));
  }
  books.freeCash = books.cash - reserved;
  return books;
}

/** What cash and holdings are worth; null where a price is not known. */
export function equityOf({ cash, holdings }: Books, priceOf: (symbol: string) => number | undefined): number | null {
  let equity = cash;
  for (const [symbol, { amount }] of holdings) {
    if (amount === 0) continue;
    const price = priceOf(symbol);
    if (price === undefined) return null;
    equity += amount * price;
  }
  return equity;
}
