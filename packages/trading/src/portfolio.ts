import { type DecimalValue, decimal, floorToStep, zero } from './decimal.ts';
import type { Balance, Market, Side } from './port.ts';
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
/** The share of one asset of all that was valued, as far as market orders can bring it. */
export interface PlannedShare {
  asset: string;
  now: number;
  target: number;
  planned: number;
}
export interface RebalancePlan {
  orders: RebalanceOrder[];
  /** What stays as it is, and why. */
  skipped: { asset: string; reason: string }[];
  shares: PlannedShare[];
}

type Owned = Pick<Balance, 'free' | 'used'>;
interface Change {
  asset: string;
  market: Market;
  price: string;
  side: Side;
  amount: DecimalValue;
}

const nothing: Owned = { free: '0', used: '0' };

/**
 * The orders that bring what is owned to its targets (shares that sum to at most one; the rest is kept in the trade asset).
 * Targets are shares of everything, but what open orders hold cannot be traded. Sales come first, because they pay for
 * purchases; purchases leave room for fees, and shrink together where the free money does not pay for all of them.
 */
export function rebalance(
  owned: ReadonlyMap<string, Owned>,
  targets: ReadonlyMap<string, number>,
  tradeAsset: string,
  marketOf: (asset: string) => { market: Market; price: string } | null,
): RebalancePlan {
  const skipped: RebalancePlan['skipped'] = [];
  const priced = new Map<string, { market: Market; price: string }>();
  for (const asset of new Set([...owned.keys(), ...targets.keys()])) {
    if (asset === tradeAsset) continue;
    const found = marketOf(asset);
    if (found && decimal(found.price).gt(0)) priced.set(asset, found);
    else skipped.push({ asset, reason: `No market ${asset}/${tradeAsset} has a price` });
  }
  const amounts = (asset: string) => {
    const { free, used } = owned.get(asset) ?? nothing;
    return { free: decimal(free), used: decimal(used), whole: decimal(free).plus(used) };
  };
  const value = (asset: string) => amounts(asset).whole.times(priced.get(asset)?.price ?? 0);
  let total = amounts(tradeAsset).whole;
  for (const asset of priced.keys()) total = total.plus(value(asset));

  const changes: Change[] = [];
  for (const [asset, { market, price }] of priced) {
    const wanted = total.times(targets.get(asset) ?? 0);
    const difference = wanted.minus(value(asset));
    const { free, used, whole } = amounts(asset);
    const side: Side = difference.gt(0) ? 'buy' : 'sell';
    const spend = side === 'buy' ? difference.times(decimal(1).minus(market.takerFee)) : difference.abs();
    let amount = side === 'sell' && wanted.eq(0) ? whole : spend.div(price);
    if (side === 'sell' && amount.gt(free)) {
      skipped.push({ asset, reason: `Open orders hold ${used.toFixed()} ${asset}. Cancel them to sell that too` });
      amount = free;
    }
    changes.push({ asset, market, price, side, amount });
  }
  const sales = changes.filter(({ side }) => side === 'sell');
  let money = amounts(tradeAsset).free;
  for (const { market, price, amount } of sales)
    money = money.plus(amount.times(price).times(decimal(1).minus(market.takerFee)));
  let needed = zero;
  for (const { side, price, amount } of changes) if (side === 'buy') needed = needed.plus(amount.times(price));
  const part = needed.gt(money) ? money.div(needed) : decimal(1);
  if (part.lt(1) && amounts(tradeAsset).used.gt(0)) {
    const reason = `Open orders hold ${amounts(tradeAsset).used.toFixed()} ${tradeAsset}. Cancel them to buy the rest`;
    skipped.push({ asset: tradeAsset, reason });
  }

  const orders: RebalanceOrder[] = [];
  const planned = new Map([...priced.keys()].map((asset) => [asset, value(asset)]));
  for (const { asset, market, price, side, amount: all } of changes) {
    const amount = floorToStep(side === 'buy' ? all.times(part) : all, market.amountStep);
    const worth = amount.times(price);
    if (amount.eq(0) && all.times(price).lt(market.minNotional)) continue;
    const size = { type: 'market' as const, amount: amount.toFixed(), price: null, stopPrice: null };
    const [problem] = sizeProblems(market, size, price);
    if (problem) {
      skipped.push({ asset, reason: problem.message });
      continue;
    }
    orders.push({ symbol: market.symbol, side, amount: size.amount, value: worth.round(8).toFixed() });
    planned.set(asset, value(asset)[side === 'buy' ? 'plus' : 'minus'](worth));
  }
  orders.sort((a, b) => (a.side === b.side ? 0 : a.side === 'sell' ? -1 : 1));
  const share = (part: DecimalValue) => (total.gt(0) ? part.div(total).toNumber() : 0);
  const shares = [...priced.keys()].map((asset) => ({
    asset,
    now: share(value(asset)),
    target: targets.get(asset) ?? 0,
    planned: share(planned.get(asset) ?? zero),
  }));
  return { orders, skipped, shares };
}
