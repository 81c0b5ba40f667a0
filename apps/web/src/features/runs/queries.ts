import type { Run } from '@atoll/contract/runs/entity';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { apiBase } from '../../platform/http.ts';
import { readTextAt } from '../files/content.ts';
import { type NotebookCell, parseNotebook } from '../files/notebook-model.ts';

export const runsOnPage = 10;

export interface RunsSearch {
  mode: 'latest' | 'last_ok' | 'scheduled';
  search: string;
  isEverybodys: boolean;
  page: number;
}

/** The page before stays while the next one is on its way. */
export const runsQuery = (projectId: string, { mode, search, isEverybodys, page }: RunsSearch) =>
  api.runs.list.queryOptions({
    input: {
      id: projectId,
      mode,
      search: search || undefined,
      all_runs: isEverybodys || undefined,
      page,
      page_size: runsOnPage,
    },
    placeholderData: keepPreviousData,
  });

export const runQuery = (projectId: string, runId: string) =>
  api.runs.get.queryOptions({ input: { id: projectId, runId } });

export const resultUrl = (projectId: string, runId: string): string =>
  `${apiBase()}/v1/notebooks/${projectId}/runs/${runId}/result`;

/** The cells of a notebook as they were run: in the file while it has not changed since, later in the result. */
export const runCellsQuery = (projectId: string, run: Pick<Run, 'id' | 'has_result'>, unchangedUrl: string | null) =>
  queryOptions({
    queryKey: ['run-cells', run.id],
    queryFn: async (): Promise<NotebookCell[]> => {
      const text = await readTextAt(unchangedUrl ?? resultUrl(projectId, run.id));
      return parseNotebook(text) ?? [];
    },
    enabled: unchangedUrl !== null || run.has_result,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
