import type { TablePage } from '@atoll/contract/files/data';
import { CloseButton, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChartBar, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import classes from './data-pane.module.css';
import { filterWords, grouped, type TableState } from './model.ts';

interface DataToolbarProps {
  table: TablePage;
  state: TableState;
  isBusy: boolean;
  onChange(patch: Partial<TableState>): void;
  statisticsShown: boolean;
  onStatistics(): void;
  actions: ReactNode;
}

const pause = 300;

export function DataToolbar({
  table,
  state,
  isBusy,
  onChange,
  statisticsShown,
  onStatistics,
  actions,
}: DataToolbarProps) {
  const [typed, setTyped] = useState(state.search ?? '');
  const search = useDebouncedCallback((text: string) => onChange({ search: text.trim() || undefined }), pause);
  useEffect(() => {
    if (!state.search) setTyped('');
  }, [state.search]);
  const kindOf = (name: string) => table.columns.find((column) => column.name === name)?.kind;
  return (
    <div className={classes.toolbar}>
      <TextInput
        className={classes.search}
        size="xs"
        type="search"
        aria-label="Search all columns"
        placeholder="Search all columns"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          typed && (
            <CloseButton
              size={20}
              aria-label="Clear search"
              onClick={() => {
                setTyped('');
                onChange({ search: undefined });
              }}
            />
          )
        }
        value={typed}
        maxLength={200}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      {state.filters.length > 0 && (
        <ul className={classes.chips} aria-label="Filters">
          {state.filters.map((filter) => {
            const words = filterWords(filter, kindOf(filter.column));
            return (
              <li key={words}>
                <UnstyledButton
                  className={classes.chip}
                  aria-label={`Remove filter: ${words}`}
                  title={words}
                  onClick={() => onChange({ filters: state.filters.filter((each) => each !== filter) })}
                >
                  <span>{words}</span>
                  <IconX size={12} aria-hidden />
                </UnstyledButton>
              </li>
            );
          })}
        </ul>
      )}
      <span className={classes.count} role="status">
        {isBusy ? 'Searching…' : rowsWords(table)}
      </span>
      {actions}
      <IconButton label="Column statistics" size={28} isPressed={statisticsShown} onClick={onStatistics}>
        <IconChartBar size={17} stroke={1.6} />
      </IconButton>
    </div>
  );
}

function rowsWords({ total, total_rows }: TablePage): string {
  if (total === null || total_rows === null) return '';
  const all = `${grouped(total_rows)} ${total_rows === 1 ? 'row' : 'rows'}`;
  return total === total_rows ? all : `${grouped(total)} of ${all}`;
}
