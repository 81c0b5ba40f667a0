import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ComputeTier } from '@atoll/contract/plans';
import type { Run, RunParameters } from '@atoll/contract/runs/entity';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';
import { saveAll } from '../files/documents.ts';
import { withRun } from './model.ts';
import { runQuery } from './queries.ts';

/** A run as it stands now, wherever it is shown. */
export function keepRun(queryClient: QueryClient, projectId: string, run: Run): void {
  queryClient.setQueryData(runQuery(projectId, run.id).queryKey, (known) => known && withRun(known, run));
  let isListed = false;
  queryClient.setQueriesData(
    { queryKey: api.runs.list.key({ input: { id: projectId } }) },
    (list: RunList | undefined) => {
      if (!list?.entries.some(({ id }) => id === run.id)) return list;
      isListed = true;
      return { ...list, entries: list.entries.map((each) => (each.id === run.id ? withRun(each, run) : each)) };
    },
  );
  // New ones come into some of the lists, and those that have ended into others.
  if (!isListed || run.ended_at)
    void queryClient.invalidateQueries({ queryKey: api.runs.list.key({ input: { id: projectId } }) });
}

interface RunList {
  entries: Run[];
}

interface StartInput {
  file: ProjectFile;
  tier: ComputeTier | undefined;
  /** Also where other people can change what runs. */
  withSecrets: boolean;
  parameters?: RunParameters;
}

/** Runs a file as it is on the screen: what is not saved yet is saved first. */
export function useStartRun(projectId: string, onStarted: (run: Run) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, tier, withSecrets, parameters }: StartInput) => {
      await saveAll(projectId);
      return client.runs.start({
        id: projectId,
        project_file_id: file.id,
        tier,
        with_secrets: withSecrets || undefined,
        parameters,
      });
    },
    onSuccess: (run) => {
      queryClient.setQueryData(runQuery(projectId, run.id).queryKey, (known) => known ?? { ...run, executions: [] });
      keepRun(queryClient, projectId, run);
      onStarted(run);
    },
    onError: (error) => toastError(error, 'Could not start the run'),
  });
}

export function useStopRun(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) => client.runs.stop({ id: projectId, runId }),
    onSuccess: (run) => keepRun(queryClient, projectId, run),
    onError: (error) => toastError(error, 'Could not stop the run'),
  });
}
