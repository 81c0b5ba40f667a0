import { type Balance, decimal, demoQuote, sum, type Ticker } from '@atoll/trading';
import type { Context } from '../../../platform/context.ts';
import type { ConnectionRow } from '../table.ts';
import { accountOf, saying } from './exchanges.ts';
import { tickersOf } from './markets.ts';

/** What everything is valued in. */
export const valueQuote = demoQuote;

export interface Owned extends Balance {
  /** Null without a price. */
  value: string | null;
}

function priceOf(tickers: ReadonlyMap<string, Ticker>, asset: string): string | null {
  if (asset === valueQuote) return '1';
  return tickers.get(`${asset}/${valueQuote}`)?.last ?? null;
}

export async function ownedOn(ctx: Context, connection: ConnectionRow): Promise<{ entries: Owned[]; total: string }> {
  const [balances, tickers] = await Promise.all([
    saying(accountOf(ctx, connection).balances()),
    tickersOf(ctx, connection.type),
  ]);
  const entries = balances.map((balance): Owned => {
    const price = priceOf(tickers, balance.asset);
    return { ...balance, value: price && decimal(balance.free).plus(balance.used).times(price).round(8).toFixed() };
  });
  entries.sort((a, b) => decimal(b.value ?? 0).cmp(decimal(a.value ?? 0)));
  return { entries, total: sum(entries.map(({ value }) => value ?? 0)).toFixed() };
}
