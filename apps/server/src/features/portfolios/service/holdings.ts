import type { ExchangeType } from '@atoll/contract';
import { type Balance, decimal, type Entry, type Holding, holdingsOf, sum } from '@atoll/trading';
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { ownedOn } from '../../trading/service/balances.ts';
import { tickersOf } from '../../trading/service/markets.ts';
import { type ConnectionRow, exchangeConnections, tradingFills, tradingOrders } from '../../trading/table.ts';
import { type EntryRow, type PortfolioRow, portfolioConnections, portfolioEntries } from '../table.ts';

/** What a portfolio holds now, whoever looks at it. */
export interface Held {
  connections: ConnectionRow[];
  amounts: Map<string, string>;
  /** By asset, as far as it is known what was paid. */
  books: Map<string, Holding>;
  entries: EntryRow[];
  /** What could not be read. */
  problems: string[];
}

/** The owner's own: after a transfer, those of the earlier owner are not shown to the new one. */
export const connectionsOf = (ctx: Context, projectId: string): Promise<ConnectionRow[]> =>
  ctx.db
    .select({ connection: exchangeConnections })
    .from(portfolioConnections)
    .innerJoin(projects, eq(projects.id, portfolioConnections.projectId))
    .innerJoin(
      exchangeConnections,
      and(
        eq(exchangeConnections.id, portfolioConnections.connectionId),
        eq(exchangeConnections.userId, projects.ownerId),
      ),
    )
    .where(and(eq(portfolioConnections.projectId, projectId), isNull(exchangeConnections.deletedAt)))
    .orderBy(asc(exchangeConnections.createdAt))
    .then((rows) => rows.map(({ connection }) => connection));

export const entriesOf = (ctx: Context, projectId: string): Promise<EntryRow[]> =>
  ctx.db
    .select()
    .from(portfolioEntries)
    .where(eq(portfolioEntries.projectId, projectId))
    .orderBy(asc(portfolioEntries.at), asc(portfolioEntries.id));

/** Trades on the connections, in their order; fees in another asset than the two that were traded are not reckoned. */
async function tradesOf(ctx: Context, connections: ConnectionRow[], tradeAsset: string): Promise<Entry[]> {
  if (connections.length === 0) return [];
  const ids = connections.map(({ id }) => id);
  const rows = await ctx.db
    .select({ fill: tradingFills, symbol: tradingOrders.symbol, side: tradingOrders.side })
    .from(tradingFills)
    .innerJoin(tradingOrders, eq(tradingOrders.id, tradingFills.orderId))
    .where(inArray(tradingOrders.connectionId, ids))
    .orderBy(asc(tradingFills.at), asc(tradingFills.fillId));
  return rows.flatMap(({ fill, symbol, side }): Entry[] => {
    const [asset = '', quote] = symbol.split('/');
    if (quote !== tradeAsset) return [];
    const { amount, price, fee, feeAsset } = fill;
    const inTradeAsset = feeAsset === quote ? fee : feeAsset === asset ? decimal(fee).times(price).toFixed() : '0';
    // What is kept of a purchase is less what its fee took.
    const kept = side === 'buy' && feeAsset === asset ? decimal(amount).minus(fee).toFixed() : amount;
    return [{ kind: side, asset, amount: kept, price, fee: inTradeAsset }];
  });
}

/** Entries as they change what is there: a purchase takes from the trade asset what it costs. */
export function manualAmounts(
  entries: readonly Pick<EntryRow, 'kind' | 'asset' | 'amount' | 'price' | 'fee'>[],
  tradeAsset: string,
): Map<string, string> {
  const amounts = new Map<string, string>();
  const add = (asset: string, amount: string) => {
    const now = decimal(amounts.get(asset) ?? 0).plus(amount);
    // More than is there came from elsewhere.
    amounts.set(asset, now.lt(0) ? '0' : now.toFixed());
  };
  for (const { kind, asset, amount, price, fee } of entries) {
    const value = decimal(amount).times(price);
    const isIn = kind === 'buy' || kind === 'deposit';
    add(asset, isIn ? amount : `-${amount}`);
    if (kind === 'buy') add(tradeAsset, decimal(0).minus(value).minus(fee).toFixed());
    if (kind === 'sell') add(tradeAsset, value.minus(fee).toFixed());
  }
  return amounts;
}

export async function heldIn(ctx: Context, { projectId, tradeAsset }: PortfolioRow): Promise<Held> {
  const [connections, entries] = await Promise.all([connectionsOf(ctx, projectId), entriesOf(ctx, projectId)]);
  const amounts = manualAmounts(entries, tradeAsset);
  const problems: string[] = [];
  for (const connection of connections) {
    try {
      const { entries: owned } = await ownedOn(ctx, connection);
      for (const { asset, free, used } of owned as Balance[]) {
        amounts.set(asset, sum([amounts.get(asset) ?? 0, free, used]).toFixed());
      }
    } catch (error) {
      problems.push(`${connection.label || connection.type}: ${error instanceof Error ? error.message : 'no answer'}`);
    }
  }
  const trades = await tradesOf(ctx, connections, tradeAsset);
  const books = new Map(holdingsOf([...trades, ...entries]).map((holding) => [holding.asset, holding]));
  return { connections, amounts, books, entries, problems };
}

export async function pricesOf(
  ctx: Context,
  exchange: ExchangeType,
  tradeAsset: string,
): Promise<(asset: string) => string | null> {
  const tickers = await tickersOf(ctx, exchange);
  return (asset) => (asset === tradeAsset ? '1' : (tickers.get(`${asset}/${tradeAsset}`)?.last ?? null));
}

export const totalOf = (amounts: ReadonlyMap<string, string>, priceOf: (asset: string) => string | null): string =>
  sum([...amounts].map(([asset, amount]) => decimal(amount).times(priceOf(asset) ?? 0)))
    .round(8)
    .toFixed();
