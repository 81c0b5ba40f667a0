import type { Run } from '@atoll/contract/runs/entity';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { type ExecutionChange, withExecution, withRun } from './model.ts';
import { runQuery } from './queries.ts';

/** A run, as it goes on. */
export function useRun(projectId: string, runId: string) {
  const queryClient = useQueryClient();
  const options = runQuery(projectId, runId);
  const { queryKey } = options;
  const query = useQuery(options);
  // What is told while an answer is on its way, which may have been read before or after it happened.
  const told = useRef<(ExecutionChange | { run: Run })[]>([]);

  const reload = () => {
    told.current = [];
    void queryClient.invalidateQueries({ queryKey });
  };
  const takeIn = () => {
    const known = queryClient.getQueryData(queryKey);
    if (!known || queryClient.isFetching({ queryKey })) return;
    let run: typeof known | null = known;
    for (const change of told.current) {
      run = run && ('run' in change ? withRun(run, change.run) : withExecution(run, change));
    }
    told.current = [];
    if (!run) reload();
    else if (run !== known) queryClient.setQueryData(queryKey, run);
  };
  const hear = (change: (typeof told.current)[number]) => {
    told.current.push(change);
    takeIn();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever an answer has come.
  useEffect(takeIn, [query.isFetching]);

  useTopic(
    'run',
    { projectId, runId },
    {
      on: {
        run_changed: hear,
        execution_changed: hear,
      },
      onJoined: (_joined, isGap) => isGap && reload(),
    },
  );
  return query;
}

/** The list of a project's runs. */
export function useRunsLive(projectId: string): void {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: api.runs.list.key({ input: { id: projectId } }) });
  useTopic(
    'projectFiles',
    { projectId },
    {
      on: { run_changed: reload },
      onJoined: (_joined, isGap) => void (isGap && reload()),
    },
  );
}
