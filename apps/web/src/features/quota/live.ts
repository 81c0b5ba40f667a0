import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readAgainIfFetching } from '../../platform/query-client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { quotaQuery } from './queries.ts';

/** Many projects may come and go at once. */
const pauseMs = 300;

/** The quota follows what runs use; how many projects there are is asked anew. */
export function useQuotaLive(userId: string): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reload = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void queryClient.invalidateQueries({ queryKey: quotaQuery.queryKey }), pauseMs);
  };
  useTopic(
    'person',
    { userId },
    {
      on: {
        quota_changed({ quota }) {
          queryClient.setQueryData(quotaQuery.queryKey, quota);
          void readAgainIfFetching(queryClient, quotaQuery.queryKey);
        },
        projects_changed: reload,
      },
      onJoined: (_joined, isGap) => isGap && reload(),
    },
  );
}
