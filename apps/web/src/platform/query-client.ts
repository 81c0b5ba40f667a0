import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** A refusal will be the same the next time; only a lost connection or a stumbling server is worth another try. */
const isWorthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status >= 500;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (count, error) => count < 2 && isWorthRetrying(error) },
    },
  });
}
