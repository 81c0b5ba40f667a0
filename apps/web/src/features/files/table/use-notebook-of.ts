import type { ProjectFile } from '@atoll/contract/files/entity';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../../platform/client.ts';
import { putContent } from '../../../platform/put-content.ts';
import { toastError } from '../../../ui/toast.ts';
import { readingCode } from '../../outputs/chart-choice.ts';
import { treeQuery } from '../queries.ts';

/**
 * Creates and opens a notebook that reads the file, with a chart where its code is given; null for files it cannot read.
 */
export function useNotebookOf(file: ProjectFile): ((chart?: string) => Promise<void>) | null {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const reading = readingCode(file.path);
  if (reading === null) return null;
  return async (chart) => {
    try {
      const sources = [`import pandas as pd\n\ndata = ${reading}\ndata.head()`, ...(chart ? [chart] : [])];
      const content = new Blob([JSON.stringify(notebookOf(sources))], { type: 'application/x-ipynb+json' });
      const id = file.project_id;
      const { files } = await queryClient.fetchQuery(treeQuery(id));
      const taken = new Set(files.map(({ path }) => path));
      const stem = file.path.replace(/(\.[a-z0-9]+)+$/i, '');
      let name = `${stem}.ipynb`;
      for (let number = 2; taken.has(name); number++) name = `${stem} ${number}.ipynb`;
      const made = await client.files.create({ id, name, upload_id: await putContent(content, name) });
      await queryClient.invalidateQueries({ queryKey: treeQuery(id).queryKey });
      await navigate({ to: '/projects/$projectId', params: { projectId: id }, search: { file: made.id } });
    } catch (error) {
      toastError(error, 'Could not create the notebook');
    }
  };
}

const notebookOf = (sources: string[]) => ({
  cells: sources.map((source, index) => ({
    id: `cell-${index + 1}`,
    cell_type: 'code',
    source,
    metadata: {},
    outputs: [],
    execution_count: null,
  })),
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});
