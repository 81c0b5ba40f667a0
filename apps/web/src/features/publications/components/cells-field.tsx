import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Input } from '@mantine/core';
import { useState } from 'react';
import type { PublishableCell } from '../queries.ts';
import classes from './publish.module.css';

interface CellsFieldProps {
  cells: PublishableCell[] | undefined;
  hidden: string[];
  error?: string;
  onChange(hidden: string[]): void;
}

/** What is ticked is left out. */
export function CellsField({ cells, hidden, error, onChange }: CellsFieldProps) {
  const [isOpen, setOpen] = useState(hidden.length > 0);
  const shown = cells?.filter(({ id, line }) => line || hidden.includes(id)) ?? [];
  const count = shown.filter(({ id }) => hidden.includes(id)).length;
  return (
    <Input.Wrapper labelElement="div" error={error}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className={classes.cells}>
        <summary>Cells to leave out{count > 0 && ` (${count})`}</summary>
        <ul>
          {shown.map(({ id, type, line }) => (
            <li key={id}>
              <Checkbox
                size="xs"
                checked={hidden.includes(id)}
                label={<span data-code={type !== 'markdown' || undefined}>{line || 'Empty cell'}</span>}
                onChange={(event) =>
                  onChange(event.currentTarget.checked ? [...hidden, id] : hidden.filter((each) => each !== id))
                }
              />
            </li>
          ))}
          {cells && shown.length === 0 && <li>The notebook has no cells with content.</li>}
        </ul>
      </details>
    </Input.Wrapper>
  );
}
