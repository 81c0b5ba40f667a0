import { type DecimalValue, decimal, sum, zero } from './decimal.ts';
import { type Fill, isFinal, type OrderReport, type OrderState } from './port.ts';

/** What we know of an order: only ever more. */
export interface KnownOrder {
  state: OrderState;
  exchangeId: string | null;
  amount: string;
  filled: string;
  fills: Fill[];
  reason: string | null;
}

/**
 * Reports come late, twice and in any order, so they are merged: fills by their id, what is filled never shrinks, and an end
 * stays the end (fills that are told after it are still counted).
 */
export function mergeReport(order: KnownOrder, report: OrderReport): KnownOrder {
  const known = new Map(order.fills.map((fill) => [fill.id, fill]));
  for (const fill of report.fills) if (!known.has(fill.id)) known.set(fill.id, fill);
  const fills = [...known.values()].sort((a, b) => a.at - b.at);
  const filled = [order.filled, report.filled, sum(fills.map(({ amount }) => amount))]
    .map(decimal)
    .reduce((most, each) => (each.gt(most) ? each : most));
  const isWhole = filled.gte(order.amount);
  const state = isFinal(order.state) ? order.state : report.state;
  return {
    ...order,
    exchangeId: report.exchangeId,
    // An exchange may tell the last fill before it says that the order is done.
    state: isWhole ? 'closed' : state,
    filled: filled.toFixed(),
    fills,
    reason: order.reason ?? report.reason,
  };
}

export const averagePrice = (fills: readonly Fill[]): string | null => {
  const amount = sum(fills.map((fill) => fill.amount));
  if (amount.lte(0)) return null;
  const cost = fills.reduce<DecimalValue>((total, fill) => total.plus(decimal(fill.amount).times(fill.price)), zero);
  return cost.div(amount).toFixed();
};

export const feesByAsset = (fills: readonly Fill[]): Record<string, string> => {
  const fees: Record<string, string> = {};
  for (const { fee, feeAsset } of fills)
    fees[feeAsset] = decimal(fees[feeAsset] ?? 0)
      .plus(fee)
      .toFixed();
  return fees;
};

/** Exchanges take up to 32 letters and digits. The same order, wherever it is made again, gets the same id. */
export const clientIdOf = (orderId: string): string => orderId.replaceAll('-', '');
