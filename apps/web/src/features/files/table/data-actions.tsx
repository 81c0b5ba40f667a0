import type { Cell, TablePage } from '@atoll/contract/files/data';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button, Menu, Text } from '@mantine/core';
import { IconChartBar, IconCopy, IconNotebook } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { DotsMenu } from '../../../ui/buttons/dots-menu.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { readingCode } from '../../outputs/chart-choice.ts';
import { grouped } from './model.ts';
import { useNotebookOf } from './use-notebook-of.ts';
import type { TableView } from './use-table.ts';

const ChartDialog = lazyPart(() => import('../../outputs/chart-dialog.tsx'), 'ChartDialog');

const mostDrawn = 1_000;
const icon = { size: 16, stroke: 1.6 };

interface DataActionsProps {
  file: ProjectFile;
  head: TablePage;
  table: TableView;
  canEdit: boolean;
}

/** Creates a chart or a notebook from the table. */
export function DataActions({ file, head, table, canEdit }: DataActionsProps) {
  const [rows, setRows] = useState<Cell[][] | null>(null);
  const create = useNotebookOf(file);
  const open = () =>
    table
      .load(0, Math.min(mostDrawn, table.count) - 1)
      .then(setRows, (error) => toastError(error, 'Could not load rows'));
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconChartBar size={15} stroke={1.6} />}
        aria-haspopup="dialog"
        disabled={table.count === 0}
        onClick={open}
      >
        Chart
      </Button>
      <DotsMenu label={`More about ${file.name}`} icon={icon} width={220}>
        {canEdit && create && (
          <Menu.Item leftSection={<IconNotebook {...icon} />} onClick={() => void create()}>
            New notebook from file
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconCopy {...icon} />}
          onClick={() => void navigator.clipboard.writeText(file.path).then(() => toast('Path copied.'))}
        >
          Copy path
        </Menu.Item>
      </DotsMenu>
      <Suspense>
        {rows && (
          <ChartDialog
            table={{
              columns: head.columns.map(({ name, kind }) => ({
                name,
                isNumber: kind === 'number',
                isTime: kind === 'time',
              })),
              rows,
            }}
            frame={readingCode(file.path)}
            insert={
              canEdit && create
                ? {
                    label: 'New notebook with this chart',
                    run: (code) => {
                      setRows(null);
                      // The notebook has read the table in the cell before.
                      void create(code.replace(/^import pandas as pd\n|^data = .*\n/gm, ''));
                    },
                  }
                : undefined
            }
            note={
              rows.length < table.count && (
                <Text size="sm" c="dimmed">
                  Preview of the first {grouped(rows.length)} of {grouped(table.count)} rows.
                </Text>
              )
            }
            onClose={() => setRows(null)}
          />
        )}
      </Suspense>
    </>
  );
}
