import type { ExchangeType } from '@atoll/contract/trading/values';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { apiBase } from '../../platform/http.ts';
import { type ChartRange, chartRanges } from './model.ts';

export const connectionsQuery = api.trading.connections.queryOptions({ input: {} });

/** The demo moves every second; others are asked by the server once a minute for everyone. */
const askMs = (exchange: ExchangeType): number => (exchange === 'demo' ? 2_000 : 10_000);

export const assetsQuery = (exchange: ExchangeType, search: string) =>
  api.trading.assets.queryOptions({
    input: { exchange, ...(search ? { search } : {}) },
    placeholderData: keepPreviousData,
    refetchInterval: askMs(exchange) * 2,
  });

export const assetQuery = (id: string, exchange: ExchangeType) =>
  api.trading.asset.queryOptions({ input: { id }, refetchInterval: askMs(exchange) });

export const bookQuery = (asset: string, exchange: ExchangeType) =>
  api.trading.book.queryOptions({ input: { asset, depth: 10 }, refetchInterval: askMs(exchange) });

const chartMs = 5_000;
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
