import { Button, Group, Modal, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import {
  type ChartChoice,
  type ChartKind,
  type ChartTable,
  chartCode,
  chartKinds,
  chartSpec,
  firstChoice,
  hasTotal,
  hasY,
  type Total,
  totals,
} from './chart-choice.ts';
import classes from './chart-dialog.module.css';
import { ChartOutput } from './components/chart-output.tsx';

interface ChartDialogProps {
  table: ChartTable;
  /** The Python expression of the frame; null where it is unknown. */
  frame: string | null;
  /** Where the code can go, and what it is called. */
  insert?: { label: string; run(code: string): void } | undefined;
  note?: ReactNode;
  onClose(): void;
}

/** A chart of a table without code, and the code of it. */
export function ChartDialog({ table, frame, insert, note, onClose }: ChartDialogProps) {
  const isNarrow = useIsNarrow();
  const [choice, setChoice] = useState(() => firstChoice(table));
  const change = (fields: Partial<ChartChoice>) => setChoice((before) => ({ ...before, ...fields }));
  const all = table.columns.map(({ name }, index) => ({ value: String(index), label: name || `Column ${index + 1}` }));
  const numbers = all.filter((_, index) => table.columns[index]?.isNumber);
  const code = frame === null ? null : chartCode(table, choice, frame);
  return (
    <Modal opened onClose={onClose} title="Chart" size="xl" fullScreen={isNarrow}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Kind of chart"
          value={choice.kind}
          onChange={(kind) => change({ kind: kind as ChartKind })}
          data={Object.entries(chartKinds).map(([value, label]) => ({ value, label }))}
        />
        <div className={classes.choices}>
          <NativeSelect
            label="Across"
            data={all}
            value={String(choice.x)}
            onChange={(event) => change({ x: Number(event.currentTarget.value) })}
          />
          {hasTotal(choice) && (
            <NativeSelect
              label="Show"
              data={Object.entries(totals)
                .filter(([total]) => total === 'count' || numbers.length > 0)
                .map(([value, label]) => ({ value, label }))}
              value={choice.total}
              onChange={(event) => change({ total: event.currentTarget.value as Total })}
            />
          )}
          {hasY(choice) && (
            <NativeSelect
              label={hasTotal(choice) ? 'Of' : 'Up'}
              data={numbers.length > 0 ? numbers : all}
              value={String(choice.y)}
              onChange={(event) => change({ y: Number(event.currentTarget.value) })}
            />
          )}
        </div>
        <div className={classes.preview}>
          <ChartOutput library="vega-lite" spec={chartSpec(table, choice)} />
        </div>
        {note}
        <Group justify="flex-end" gap="sm">
          {code !== null && <CopyButton value={code} label="Copy code" />}
          {code !== null && insert && <Button onClick={() => insert.run(code)}>{insert.label}</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}
