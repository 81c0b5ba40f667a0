import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';

/** Many projects may change at once, by an import or a clean-up. */
const pauseMs = 300;

/** Lists of projects follow what happens to projects elsewhere. */
export function useProjectListsLive(userId: string): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reload = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: api.projects.list.key() }),
      pauseMs,
    );
  };
  useTopic(
    'notifications',
    { userId },
    {
      on: { projects_changed: reload },
      onJoined: (_joined, isGap) => isGap && reload(),
    },
  );
}
