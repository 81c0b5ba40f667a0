import type { ProjectFile } from '@atoll/contract/files/entity';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import type { TableState } from './model.ts';

export const pageSize = 100;
const askAgainAfter = 700;

const inputOf = (file: ProjectFile, { filters, search, sheet }: TableState) => ({
  id: file.project_id,
  fileId: file.id,
  filters,
  search: search || undefined,
  sheet,
});

/** A busy server is retried; an unreadable file stays unreadable. */
const retry = (count: number, error: unknown) =>
  count < 3 && (!(error instanceof ApiError) || error.status === 429 || error.status >= 500);

const common = { staleTime: Number.POSITIVE_INFINITY, gcTime: 120_000, retry };

export const pageQuery = (file: ProjectFile, state: TableState, page: number) =>
  queryOptions({
    queryKey: ['table', file.id, file.version, state, page] as const,
    queryFn: ({ signal }) =>
      client.files.data(
        {
          ...inputOf(file, state),
          page,
          page_size: pageSize,
          sort_by: state.sort?.column,
          sort_direction: state.sort?.direction,
        },
        { signal },
      ),
    refetchInterval: ({ state: { data } }) => (data?.is_complete === false ? askAgainAfter : false),
    ...common,
  });

export const statisticsQuery = (file: ProjectFile, state: TableState, column: string) => {
  const { sort: _, ...rows } = state;
  return queryOptions({
    queryKey: ['table-statistics', file.id, file.version, rows, column] as const,
    queryFn: ({ signal }) => client.files.dataStatistics({ ...inputOf(file, state), column }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.is_complete === false ? askAgainAfter : false),
    ...common,
  });
};
