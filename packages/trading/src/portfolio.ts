import { type DecimalValue, decimal, floorToStep, zero } from './decimal.ts';
import type { Market, Side } from './port.ts';
import { sizeProblems } from './sizes.ts';

/** One thing that happened to what is owned, in the order in which it happened. Values are in the trade asset. */
export interface Entry {
  kind: 'deposit' | 'withdrawal' | Side;
  asset: string;
  amount: string;
  /** Of one piece. */
  price: string;
  /** In the trade asset. */
  fee: string;
}

export interface Holding {
  asset: string;
  amount: string;
  /** What is owned cost, by the average of all purchases. */
  cost: string;
  realised: string;
  fees: string;
}

/** Average cost: a sale takes its share of the cost with it, and what it brought beyond that is realised. */
export function holdingsOf(entries: readonly Entry[]): Holding[] {
  const held = new Map<
    string,
    { amount: DecimalValue; cost: DecimalValue; realised: DecimalValue; fees: DecimalValue }
  >();
  for (const { kind, asset, amount, price, fee } of entries) {
    const now = held.get(asset) ?? { amount: zero, cost: zero, realised: zero, fees: zero };
    const value = decimal(amount).times(price);
    if (kind === 'buy' || kind === 'deposit') {
      now.amount = now.amount.plus(amount);
      now.cost = now.cost.plus(value).plus(fee);
    } else {
      // More than is known to be owned came from elsewhere: it cost nothing that we know of.
      const share = now.amount.gt(0) ? decimal(amount).div(now.amount) : zero;
      const cost = share.gt(1) ? now.cost : now.cost.times(share);
      if (kind === 'sell') now.realised = now.realised.plus(value).minus(cost).minus(fee);
      now.amount = now.amount.minus(amount);
      if (now.amount.lt(0)) now.amount = zero;
      now.cost = now.amount.eq(0) ? zero : now.cost.minus(cost);
    }
    now.fees = now.fees.plus(fee);
    held.set(asset, now);
  }
  return [...held].map(([asset, { amount, cost, realised, fees }]) => ({
    asset,
    amount: amount.toFixed(),
    cost: cost.round(12).toFixed(),
    realised: realised.round(12).toFixed(),
    fees: fees.toFixed(),
  }));
}

export interface RebalanceOrder {
  symbol: string;
  side: Side;
  amount: string;
  value: string;
}
export interface RebalancePlan {
  orders: RebalanceOrder[];
  /** What stays as it is, and why. */
  skipped: { asset: string; reason: string }[];
}

/**
 * The orders that bring what is owned to its targets (shares that sum to at most one; the rest is kept in the trade asset).
 * Sales come first: they pay for the purchases. Fees are left room for.
 */
export function rebalance(
  owned: ReadonlyMap<string, string>,
  targets: ReadonlyMap<string, number>,
  tradeAsset: string,
  marketOf: (asset: string) => { market: Market; price: string } | null,
): RebalancePlan {
  const skipped: RebalancePlan['skipped'] = [];
  const orders: RebalanceOrder[] = [];
  const priced = new Map<string, { market: Market; price: string }>();
  for (const asset of new Set([...owned.keys(), ...targets.keys()])) {
    if (asset === tradeAsset) continue;
    const found = marketOf(asset);
    if (found && decimal(found.price).gt(0)) priced.set(asset, found);
    else skipped.push({ asset, reason: `No market ${asset}/${tradeAsset} has a price` });
  }
  const value = (asset: string) => decimal(owned.get(asset) ?? 0).times(priced.get(asset)?.price ?? 0);
  let total = decimal(owned.get(tradeAsset) ?? 0);
  for (const asset of priced.keys()) total = total.plus(value(asset));
  for (const [asset, { market, price }] of priced) {
    const wanted = total.times(targets.get(asset) ?? 0);
    const difference = wanted.minus(value(asset));
    const side: Side = difference.gt(0) ? 'buy' : 'sell';
    const spend = side === 'buy' ? difference.times(decimal(1).minus(market.takerFee)) : difference.abs();
    const whole = side === 'sell' && wanted.eq(0) ? decimal(owned.get(asset) ?? 0) : spend.div(price);
    const amount = floorToStep(whole, market.amountStep).toFixed();
    if (decimal(amount).eq(0) && difference.abs().lt(market.minNotional)) continue;
    const [problem] = sizeProblems(market, { type: 'market', amount, price: null, stopPrice: null }, price);
    if (problem) skipped.push({ asset, reason: problem.message });
    else orders.push({ symbol: market.symbol, side, amount, value: decimal(amount).times(price).round(8).toFixed() });
  }
  orders.sort((a, b) => (a.side === b.side ? 0 : a.side === 'sell' ? -1 : 1));
  return { orders, skipped };
}
