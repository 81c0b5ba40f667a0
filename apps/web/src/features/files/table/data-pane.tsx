import '@mantine/core/styles/Progress.layer.css';
import { Button, Group, Progress } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { SidePanel } from '../../projects/side-panel.tsx';
import { downloadUrl } from '../addresses.ts';
import { DownloadButton } from '../download-button.tsx';
import { TextSkeleton } from '../lazy-editor.tsx';
import { PageNotice } from '../page-notice.tsx';
import { ColumnStatistics } from './column-statistics.tsx';
import { DataActions } from './data-actions.tsx';
import { DataFooter } from './data-footer.tsx';
import { DataGrid } from './data-grid.tsx';
import classes from './data-pane.module.css';
import { DataToolbar } from './data-toolbar.tsx';
import { blockSize, grouped } from './model.ts';
import { useTable } from './use-table.ts';
import { useTableState } from './use-table-state.ts';

/** A file as a table of any size: the server sorts and filters, and only the viewed rows are loaded. */
export function DataPane({ file, canEdit, onText }: DocumentViewProps) {
  const { state, change } = useTableState();
  const [seen, setSeen] = useState({ from: 0, to: 0 });
  const [block, setBlock] = useState(0);
  const [described, setDescribed] = useState<string | null>(null);
  const [statisticsShown, statistics] = useDisclosure(false);
  const isNarrow = useIsNarrow();
  const table = useTable(file, state, seen);
  const { head, error } = table;

  const isNarrowed = state.filters.length > 0 || Boolean(state.search) || Boolean(state.sort);
  const showAll = () => change({ filters: [], search: undefined, sort: undefined });
  const choose: typeof change = (patch) => {
    setBlock(0);
    change(patch);
  };

  if (error && (!head || table.isOld || error instanceof ApiError)) {
    const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
    return (
      <PageNotice
        title={isRefused ? 'This file cannot be displayed as a table' : 'Could not load the table'}
        action={
          <Group justify="center" gap="sm">
            {isRefused && isNarrowed && <Button onClick={showAll}>Show all rows</Button>}
            {isRefused && onText && (
              <Button variant={isNarrowed ? 'default' : 'filled'} onClick={onText}>
                Show as text
              </Button>
            )}
            {isRefused ? <DownloadButton href={downloadUrl(file)} /> : <RetryButton onClick={table.retry} />}
          </Group>
        }
      >
        {messageOf(error)}
      </PageNotice>
    );
  }
  if (!head) return <TextSkeleton />;
  if (head.is_complete && head.total_rows === 0 && !head.sheets) {
    return (
      <PageNotice title="No rows" action={onText ? <Button onClick={onText}>Show as text</Button> : undefined}>
        {head.columns.length > 1
          ? `Columns: ${head.columns.map(({ name }) => name).join(', ')}.`
          : 'The file has no rows.'}
      </PageNotice>
    );
  }

  const start = Math.min(block * blockSize, Math.max(0, table.count - 1));
  const describe = (column: string) => {
    setDescribed(column);
    statistics.open();
  };
  return (
    <div className={classes.view}>
      <DataToolbar
        table={head}
        state={state}
        isBusy={table.isOld}
        onChange={choose}
        statisticsShown={statisticsShown}
        onStatistics={statistics.toggle}
        actions={<DataActions file={file} head={head} table={table} canEdit={canEdit} />}
      />
      {!head.is_complete && (
        <div className={classes.reading} role="status">
          <Progress value={(head.progress ?? 0) * 100} size={3} radius={0} animated aria-label="Read in" />
          <span>
            Reading the whole file: {Math.round((head.progress ?? 0) * 100)} %.{' '}
            {head.rows.length > 0 && `Its first ${grouped(head.rows.length)} rows are below.`}
          </span>
        </div>
      )}
      <div className={classes.body}>
        <div className={classes.main} aria-busy={table.isOld || undefined} data-old={table.isOld || undefined}>
          <DataGrid
            // Another sheet has other columns.
            key={`${head.sheet}/${head.columns.length}`}
            label={file.name}
            columns={head.columns}
            sample={head.rows}
            count={Math.min(blockSize, Math.max(0, table.count - start))}
            start={start}
            table={table}
            state={state}
            onChange={choose}
            onSeen={setSeen}
            onDescribe={describe}
          />
          {head.is_complete && table.count === 0 && (
            <div className={classes.none}>
              <span>{isNarrowed ? 'No rows match the filters.' : 'This sheet is empty.'}</span>
              {isNarrowed && (
                <Button size="xs" variant="default" onClick={showAll}>
                  Show all rows
                </Button>
              )}
            </div>
          )}
        </div>
        <SidePanel
          label="Statistics"
          side="right"
          opened={statisticsShown}
          onClose={statistics.close}
          isSheet={isNarrow}
        >
          <ColumnStatistics
            file={file}
            state={state}
            columns={head.columns}
            column={head.columns.find(({ name }) => name === described)?.name ?? head.columns[0]?.name}
            onColumn={setDescribed}
            onFilter={(filter) =>
              choose({ filters: [...state.filters.filter(({ column }) => column !== filter.column), filter] })
            }
          />
        </SidePanel>
      </div>
      <DataFooter
        table={head}
        count={table.count}
        block={block}
        onBlock={setBlock}
        onSheet={(sheet) => {
          setBlock(0);
          change({ sheet, filters: [], sort: undefined, search: undefined });
        }}
      />
    </div>
  );
}
