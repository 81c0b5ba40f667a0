import type { TestSettings } from '@atoll/contract/strategies/entity';
import type { ExchangeType } from '@atoll/contract/trading/values';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import type { CatalogueSearch } from './model.ts';

export const describeQuery = (id: string) => api.strategies.describe.queryOptions({ input: { id }, staleTime: 0 });
export const testsOnPage = 20;
export const testsQuery = (id: string, page: number) =>
  api.strategies.tests.queryOptions({ input: { id, page, page_size: testsOnPage } });
export const testQuery = (id: string, testId: string) => api.strategies.getTest.queryOptions({ input: { id, testId } });
export const barQuery = (id: string, testId: string, time: number) =>
  api.strategies.inspectBar.queryOptions({ input: { id, testId, time }, retry: false });
export const runsQuery = (id: string) => api.strategies.runs.queryOptions({ input: { id }, refetchInterval: 30_000 });

export const comparisonQuery = (id: string, runId: string) =>
  api.strategies.compareRun.queryOptions({ input: { id, runId }, retry: false, staleTime: 60_000 });
export const publishedQuery = (id: string) =>
  api.strategies.published.queryOptions({
    input: { id },
    refetchInterval: ({ state }) => (/queued|running/.test(state.data?.verification?.state ?? '') ? 3_000 : 60_000),
  });
export const signalsQuery = (id: string, page: number) =>
  api.strategies.signals.queryOptions({ input: { id, page, page_size: 10 }, placeholderData: keepPreviousData });
export const copiesQuery = (id: string) =>
  api.strategies.copies.queryOptions({ input: { id }, refetchInterval: 30_000 });

/** Follows the backtests and runs of one strategy; `onProgress` gets how far those that run have come. */
export function useStrategyLive(id: string, onProgress: (testId: string, progress: number | null) => void): void {
  const queryClient = useQueryClient();
  const refreshTests = () => {
    void queryClient.invalidateQueries({ queryKey: api.strategies.tests.key({ input: { id } }) });
  };
  const refreshRuns = () => {
    void queryClient.invalidateQueries({ queryKey: api.strategies.runs.key({ input: { id } }) });
    void queryClient.invalidateQueries({ queryKey: api.strategies.decisions.key() });
  };
  useTopic(
    'strategy',
    { strategyId: id },
    {
      on: {
        test_changed: ({ test }) => {
          const progress = test.progress ?? test.verification?.progress ?? null;
          onProgress(test.id, progress);
          if (progress !== null) return;
          refreshTests();
          void queryClient.invalidateQueries({ queryKey: testQuery(id, test.id).queryKey });
        },
        test_deleted: refreshTests,
        run_changed: refreshRuns,
      },
      onJoined: (_joined, isGap) => {
        if (!isGap) return;
        refreshTests();
        refreshRuns();
      },
    },
  );
}

export const marketsQuery = (exchange: ExchangeType) =>
  api.trading.assets.queryOptions({ input: { exchange }, staleTime: 60_000 });

export const priceBarsQuery = (
  exchange: ExchangeType,
  symbol: string,
  interval: TestSettings['timeframe'],
  from: number,
  to: number,
) => {
  const [base = ''] = symbol.split('/');
  const input = {
    asset: `${exchange}-${base}`,
    interval,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  return api.trading.chart.queryOptions({ input, staleTime: Number.POSITIVE_INFINITY });
};

export const cataloguePageSize = 24;
export const catalogueQuery = ({
  search,
  sort = 'published_at',
  asset,
  checked = false,
  live = false,
  page = 1,
}: CatalogueSearch) =>
  api.strategies.catalogue.queryOptions({
    input: {
      ...(search ? { search } : {}),
      ...(asset ? { asset } : {}),
      sort_by: sort,
      only_checked: checked,
      only_live: live,
      page,
      page_size: cataloguePageSize,
    },
    placeholderData: keepPreviousData,
  });
