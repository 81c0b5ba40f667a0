import type { ExchangeType } from '@atoll/contract/trading/values';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { apiBase } from '../../platform/http.ts';
import { type ChartRange, chartRanges } from './model.ts';

export const connectionsQuery = api.trading.connections.queryOptions({ input: {} });

/** Prices come by themselves; where they do not, they are asked for. The server asks an exchange once a minute for everyone. */
const askMs = 10_000;
const askUnless = (isLive: boolean | null) => (isLive === false ? askMs : (false as const));

export const assetsQuery = (exchange: ExchangeType, search: string, isLive: boolean | null) =>
  api.trading.assets.queryOptions({
    input: { exchange, ...(search ? { search } : {}) },
    placeholderData: keepPreviousData,
    refetchInterval: askUnless(isLive),
  });

export const assetQuery = (id: string, isLive: boolean | null) =>
  api.trading.asset.queryOptions({ input: { id }, refetchInterval: askUnless(isLive) });
export const assetKey = (id: string) => assetQuery(id, null).queryKey;

export const bookQuery = (asset: string, isLive: boolean | null) =>
  api.trading.book.queryOptions({ input: { asset, depth: 10 }, refetchInterval: askUnless(isLive) });
export const bookKey = (asset: string) => bookQuery(asset, null).queryKey;

/** The last candle follows the price; what is added is asked for. */
const chartMs = 30_000;
export const chartQuery = (asset: string, range: ChartRange) => {
  const { interval, days } = chartRanges[range];
  // Rounded to the minute, so that the key stays the same while the page is looked at.
  const from = new Date(Math.floor(Date.now() / 60_000) * 60_000 - days * 86_400_000).toISOString();
  return api.trading.chart.queryOptions({
    input: { asset, interval, from },
    queryKey: [...api.trading.chart.key(), asset, range],
    placeholderData: keepPreviousData,
    refetchInterval: days <= 30 ? chartMs : false,
    staleTime: chartMs,
  });
};

export const balanceQuery = (connectionId: string) =>
  api.trading.balance.queryOptions({ input: { connection_id: connectionId }, refetchInterval: 5_000 });

export interface OrderSearch {
  connection_id?: string;
  symbol?: string;
  state?: 'open' | 'closed' | 'canceled' | 'expired' | 'rejected' | 'formed';
}

export const ordersQuery = (search: OrderSearch, page: number) =>
  api.trading.transactions.queryOptions({ input: { ...search, page }, placeholderData: keepPreviousData });

export const ordersCsvUrl = (search: OrderSearch): string =>
  `${apiBase()}/v1/trading/transactions/csv?${new URLSearchParams({ ...search })}`;
