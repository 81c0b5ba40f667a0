import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** A refusal would be the same the next time; only a lost connection or a server error is worth another try. */
const isWorthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status >= 500;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (count, error) => count < 2 && isWorthRetrying(error) },
    },
  });
}

/** After a live event: an answer on its way may have been read before the change, and would replace it in the cache. */
export async function readAgainIfFetching(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const filter = { queryKey, exact: true };
  if (queryClient.isFetching(filter) === 0) return;
  await queryClient.cancelQueries(filter, { revert: false });
  await queryClient.invalidateQueries(filter);
}
