import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconCodePlus, IconFile, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { insertAfter } from '../actions.ts';
import { newCell } from '../model.ts';
import { snippets } from '../snippets.ts';
import { useNotebook } from './notebook-context.tsx';
import classes from './toolbar.module.css';

interface Found {
  files: { path: string; size: number }[];
  tables: string[];
}

/** Pieces of code to put below, about the project's own files and tables first. */
export function SnippetsMenu() {
  const { store, ui } = useNotebook();
  const [found, setFound] = useState<Found>({ files: [], tables: [] });
  const put = (source: string) =>
    insertAfter(
      { store, ui },
      ui.getActive() ?? store.getOrder().at(-1) ?? null,
      [newCell('code', { source })],
      'edit',
    );
  const look = async () => {
    try {
      const topic = store.must();
      const { files } = await topic.send('s3_files', { search: '' });
      setFound((before) => ({ ...before, files: files.filter(({ path }) => readers[extension(path)]).slice(0, 8) }));
      if (store.kernel.state !== 'idle') return;
      const { variables } = await topic.send('vars_list', {});
      setFound((before) => ({ ...before, tables: variables.filter((each) => each.is_table).map(({ name }) => name) }));
    } catch {
      // The rest of the menu needs no answer.
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
  return (
    <Menu position="bottom-start" width={280} onOpen={() => void look()}>
      <Menu.Target>
        <Tooltip label="Snippets">
          <ActionIcon size={28} className={classes.snippets} aria-label="Snippets">
            <IconCodePlus size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {found.files.length > 0 && <Menu.Label>Read a file</Menu.Label>}
        {found.files.map(({ path }) => (
          <Menu.Item key={path} leftSection={<IconFile size={15} stroke={1.6} />} onClick={() => void read(path)}>
            {path}
          </Menu.Item>
        ))}
        {found.tables.length > 0 && <Menu.Label>Columns of</Menu.Label>}
        {found.tables.map((name) => (
          <Menu.Item key={name} leftSection={<IconTable size={15} stroke={1.6} />} onClick={() => void columns(name)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Label>Snippets</Menu.Label>
        {snippets.map(({ label, code }) => (
          <Menu.Item key={label} onClick={() => put(code)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
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
