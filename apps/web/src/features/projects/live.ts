import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { offersQuery, projectQuery } from './queries.ts';

/** Many projects may change at once, by an import or a clean-up. */
const pauseMs = 300;

/** Lists of projects follow what happens to projects elsewhere. */
export function useProjectListsLive(userId: string): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** Who may not read its files, or nothing of it any more, is not in the project's own topic. */
  const reloadProject = (id: string) => {
    const { queryKey } = projectQuery(id);
    const { data, status } = queryClient.getQueryState(queryKey) ?? {};
    if (status === 'error' || (data && !data.permissions.includes('view_source')))
      void queryClient.invalidateQueries({ queryKey });
  };
  const reload = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void queryClient.invalidateQueries({ queryKey: api.projects.list.key() });
      void queryClient.invalidateQueries({ queryKey: offersQuery.queryKey });
    }, pauseMs);
  };
  useTopic(
    'person',
    { userId },
    {
      on: {
        projects_changed({ project_id }) {
          reload();
          reloadProject(project_id);
        },
      },
      onJoined: (_joined, isGap) => isGap && reload(),
    },
  );
}
