import type { Thread } from '@atoll/contract/comments/entity';
import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { useChangeThreads } from './live.ts';
import { threadsQuery } from './queries.ts';

const about = { projectId: '01a1ee90-8552-72c0-a475-7cb4b8131cd6' };
const said = { id: 'said', replies: [] } as unknown as Thread;

test('an answer from before a change does not take its place', async () => {
  const answers: PromiseWithResolvers<Thread[]>[] = [];
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const query = useInfiniteQuery({
        ...threadsQuery(about),
        queryFn: async () => {
          const answer = Promise.withResolvers<Thread[]>();
          answers.push(answer);
          const entries = await answer.promise;
          return { entries, page: 1, page_size: 50, total: entries.length };
        },
      });
      return {
        ids: query.data?.pages.flatMap(({ entries }) => entries.map(({ id }) => id)),
        ...useChangeThreads(about),
      };
    },
    { wrapper },
  );
  answers[0]?.resolve([]);
  await waitFor(() => expect(result.current.ids).toEqual([]));
  // It is read again, and meanwhile somebody says something.
  result.current.reload();
  await waitFor(() => expect(answers).toHaveLength(2));
  result.current.change((threads) => [said, ...threads]);
  answers[1]?.resolve([]);
  await waitFor(() => expect(answers).toHaveLength(3));
  expect(result.current.ids).toEqual(['said']);
  answers[2]?.resolve([said]);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(result.current.ids).toEqual(['said']);
});
