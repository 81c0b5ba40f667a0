import { useState } from 'react';
import { insertAfter } from '../actions.ts';
import { newCell } from '../model.ts';
import { useNotebook } from '../notebook-context.tsx';
import { snippets } from './snippets.ts';

interface Found {
  files: string[];
  tables: string[];
}

export interface SnippetGroup {
  label: string;
  kind: 'file' | 'table' | 'code';
  entries: { label: string; put(): void }[];
}

/** Pieces of code to put below, about the project's own files and tables first. */
export function useSnippets(): { groups: SnippetGroup[]; look(): Promise<void> } {
  const { store, ui } = useNotebook();
  const [found, setFound] = useState<Found>({ files: [], tables: [] });
  const put = (source: string) => {
    const cell = newCell('code', { source });
    insertAfter({ store, ui }, ui.getActive() ?? store.getOrder().at(-1) ?? null, [cell], 'edit');
    ui.reveal(cell.id, 'center');
  };
  const look = async () => {
    try {
      const topic = store.must();
      const { files } = await topic.send('s3_files', { search: '' });
      const paths = files.map(({ path }) => path).filter((path) => readers[extension(path)]);
      setFound((before) => ({ ...before, files: paths.slice(0, 8) }));
      if (store.kernel.state !== 'idle') return;
      const { variables } = await topic.send('vars_list', {});
      setFound((before) => ({ ...before, tables: variables.filter((each) => each.is_table).map(({ name }) => name) }));
    } catch {
      // The rest of them need no answer.
    }
  };
  const columns = async (name: string) => {
    const answer = await store.command((topic) => topic.send('dataframe_columns', { name }));
    if (answer) put(`${name}[[${answer.columns.map((column) => JSON.stringify(column.name)).join(', ')}]]`);
  };
  const read = async (path: string) => {
    const kind = extension(path);
    if (kind !== 'xlsx') return put(readers[kind]?.(path) ?? '');
    const answer = await store.command((topic) => topic.send('excel_sheets', { path }));
    put(readers.xlsx?.(path, answer?.sheets[0]) ?? '');
  };
  const groups: SnippetGroup[] = [
    {
      label: 'Read a file',
      kind: 'file',
      entries: found.files.map((path) => ({ label: path, put: () => void read(path) })),
    },
    {
      label: 'Columns of',
      kind: 'table',
      entries: found.tables.map((name) => ({ label: name, put: () => void columns(name) })),
    },
    {
      label: 'Examples',
      kind: 'code',
      entries: snippets.map(({ label, code }) => ({ label, put: () => put(code) })),
    },
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), look };
}

const extension = (path: string): string => path.split('.').at(-1)?.toLowerCase() ?? '';
const named = (path: string) => `import pandas as pd\n\ndf = pd.`.concat(readerOf(path));
const readerOf = (path: string) =>
  `read_${{ parquet: 'parquet', json: 'json' }[extension(path)] ?? 'csv'}(${JSON.stringify(path)})\ndf`;
const readers: Record<string, (path: string, sheet?: string) => string> = {
  csv: named,
  tsv: (path) => `import pandas as pd\n\ndf = pd.read_csv(${JSON.stringify(path)}, sep="\\t")\ndf`,
  parquet: named,
  json: named,
  xlsx: (path, sheet) =>
    `import pandas as pd\n\ndf = pd.read_excel(${JSON.stringify(path)}${sheet ? `, sheet_name=${JSON.stringify(sheet)}` : ''})\ndf`,
};
