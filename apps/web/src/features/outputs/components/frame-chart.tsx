import type { FramePage } from '@atoll/contract';
import { Button, Loader, Modal, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Suspense, useContext, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { toastError } from '../../../ui/toast.ts';
import type { ChartTable } from '../chart-choice.ts';
import { ChartPlaceContext } from '../chart-place.ts';
import { emptyQuery, type FrameQuery } from '../frame.ts';

const ChartDialog = lazyPart(() => import('../chart-dialog.tsx'), 'ChartDialog');

const mostDrawn = 500;
const isNumeric = /^u?int|^float|^decimal|^number/i;
const isDate = /date|time/i;

const toTable = ({ columns, rows }: FramePage): ChartTable => ({
  columns: columns.map(({ name, type }, index) => ({
    name,
    isNumber: isNumeric.test(type) || (type === '' && typeof rows[0]?.[index] === 'number'),
    isTime: isDate.test(type) && !/delta/i.test(type),
  })),
  rows,
});

interface FrameChartProps {
  page: FramePage;
  load?: ((query: FrameQuery) => Promise<FramePage>) | undefined;
}

/** Draws what a table shows. */
export function FrameChart({ page, load }: FrameChartProps) {
  const place = useContext(ChartPlaceContext);
  const [isOpen, setOpen] = useState(false);
  const [drawn, setDrawn] = useState<FramePage | null>(null);
  const open = async () => {
    setOpen(true);
    setDrawn(page);
    if (!load || page.rows.length >= Math.min(page.all, mostDrawn)) return;
    setDrawn(null);
    try {
      setDrawn(await load({ ...emptyQuery, limit: mostDrawn }));
    } catch (error) {
      // What came with the output can be drawn without a kernel.
      setDrawn(page);
      toastError(error, 'Could not load more rows');
    }
  };
  const close = () => setOpen(false);
  const { insert } = place;
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconChartBar size={13} />}
        aria-haspopup="dialog"
        onClick={() => void open()}
      >
        Chart
      </Button>
      {isOpen && !drawn && (
        <Modal opened onClose={close} title="Chart">
          <Loader size="sm" aria-label="Loading rows" />
        </Modal>
      )}
      <Suspense>
        {isOpen && drawn && (
          <ChartDialog
            table={toTable(drawn)}
            frame={place.frame}
            insert={
              insert && {
                label: insert.label,
                run: (code) => {
                  close();
                  insert.run(code);
                },
              }
            }
            note={drawn.rows.length < drawn.all && <FirstRows shown={drawn.rows.length} all={drawn.all} />}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

const FirstRows = ({ shown, all }: { shown: number; all: number }) => (
  <Text size="sm" c="dimmed">
    Preview of the first {shown.toLocaleString('en')} of {all.toLocaleString('en')} rows. The code draws all of them.
  </Text>
);
