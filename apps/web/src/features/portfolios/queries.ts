import { api } from '../../platform/client.ts';

const askMs = 10_000;

export const portfoliosQuery = api.portfolios.list.queryOptions({ input: {}, refetchInterval: askMs });

export const portfolioQuery = (id: string) =>
  api.portfolios.get.queryOptions({ input: { id }, refetchInterval: askMs });

export const entriesQuery = (id: string, page: number) => api.portfolios.entries.queryOptions({ input: { id, page } });

export const rebalanceQuery = (id: string, connectionId: string) =>
  api.portfolios.rebalancePreview.queryOptions({
    input: { id, connection_id: connectionId },
    staleTime: 0,
    retry: false,
  });
