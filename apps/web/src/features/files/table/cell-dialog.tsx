import type { Cell, TableColumn } from '@atoll/contract/files/data';
import { Code, Modal, Text } from '@mantine/core';
import { CopyButton } from '../../../ui/copy-button.tsx';
import classes from './data-grid.module.css';
import { cellText, grouped } from './model.ts';

interface CellDialogProps {
  column: TableColumn | undefined;
  row: number;
  value: Cell | undefined;
  onClose(): void;
}

/** A value that is longer than its cell. */
export function CellDialog({ column, row, value, onClose }: CellDialogProps) {
  const text = column ? cellText(value, column.kind) : null;
  return (
    <Modal
      opened={column !== undefined}
      onClose={onClose}
      title={`${column?.name ?? ''}, row ${grouped(row)}`}
      size="lg"
    >
      {text === null ? (
        <Text c="dimmed">There is no value.</Text>
      ) : (
        <>
          <Code block className={classes.whole}>
            {indented(text)}
          </Code>
          <CopyButton value={text} />
        </>
      )}
    </Modal>
  );
}

/** Nested values are JSON, which is easier to read with its lines. */
function indented(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
