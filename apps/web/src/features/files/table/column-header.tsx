import type { TableColumn } from '@atoll/contract/files/data';
import type { ColumnKind } from '@atoll/contract/files/tables';
import { ActionIcon, Button, Divider, Popover, UnstyledButton } from '@mantine/core';
import {
  type Icon,
  IconArrowDown,
  IconArrowUp,
  IconBraces,
  IconCalendar,
  IconChartBar,
  IconFilterFilled,
  IconHash,
  IconLetterCase,
  IconSelector,
  IconToggleLeft,
} from '@tabler/icons-react';
import type { PointerEvent } from 'react';
import classes from './data-grid.module.css';
import { FilterForm } from './filter-form.tsx';
import { kindWords, type TableState } from './model.ts';

export const kindIcons: Record<ColumnKind, Icon> = {
  text: IconLetterCase,
  number: IconHash,
  boolean: IconToggleLeft,
  time: IconCalendar,
  other: IconBraces,
};
interface ColumnHeaderProps {
  id: string;
  index: number;
  column: TableColumn;
  place: { left: number; width: number };
  state: TableState;
  isActive: boolean;
  isOpen: boolean;
  onOpen(isOpen: boolean): void;
  onSort(): void;
  onResize(width: number): void;
  onChange(patch: Partial<TableState>): void;
  onDescribe(): void;
}

export function ColumnHeader({ column, place, state, isOpen, onOpen, ...props }: ColumnHeaderProps) {
  const { name, kind } = column;
  const KindIcon = kindIcons[kind];
  const direction = state.sort?.column === name ? state.sort.direction : undefined;
  const isFiltered = state.filters.some((filter) => filter.column === name);
  const order = (next: 'asc' | 'desc') => {
    props.onChange({ sort: direction === next ? undefined : { column: name, direction: next } });
    onOpen(false);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the head of a grid that shows a part of its columns.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div
      id={props.id}
      role="columnheader"
      aria-colindex={props.index + 2}
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
      className={classes.header}
      data-active={props.isActive || undefined}
      style={place}
    >
      <UnstyledButton
        className={classes.name}
        tabIndex={-1}
        title={`${name}\n${kindWords[kind]}`}
        onClick={props.onSort}
      >
        <KindIcon size={15} stroke={1.6} aria-label={kindWords[kind]} role="img" />
        <span>{name}</span>
        {direction === 'asc' && <IconArrowUp size={13} aria-hidden />}
        {direction === 'desc' && <IconArrowDown size={13} aria-hidden />}
        {isFiltered && <IconFilterFilled size={12} aria-label="filtered" role="img" />}
      </UnstyledButton>
      <Popover opened={isOpen} onChange={onOpen} position="bottom-end" width={272} trapFocus withinPortal shadow="md">
        <Popover.Target>
          <ActionIcon
            size={22}
            tabIndex={-1}
            className={classes.more}
            aria-label={`Sort and filter ${name}`}
            onClick={() => onOpen(!isOpen)}
          >
            <IconSelector size={14} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu} aria-label={`Sort and filter ${name}`}>
          <Button.Group>
            <Button
              flex={1}
              size="xs"
              variant={direction === 'asc' ? 'light' : 'default'}
              aria-pressed={direction === 'asc'}
              leftSection={<IconArrowUp size={14} />}
              onClick={() => order('asc')}
            >
              Ascending
            </Button>
            <Button
              flex={1}
              size="xs"
              variant={direction === 'desc' ? 'light' : 'default'}
              aria-pressed={direction === 'desc'}
              leftSection={<IconArrowDown size={14} />}
              onClick={() => order('desc')}
            >
              Descending
            </Button>
          </Button.Group>
          <Divider />
          <FilterForm
            column={column}
            filter={state.filters.find((filter) => filter.column === name)}
            onFilter={(filter) => {
              const others = state.filters.filter((each) => each.column !== name);
              props.onChange({ filters: filter ? [...others, filter] : others });
              onOpen(false);
            }}
          />
          <Divider />
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            justify="start"
            leftSection={<IconChartBar size={14} />}
            onClick={() => {
              onOpen(false);
              props.onDescribe();
            }}
          >
            Statistics
          </Button>
        </Popover.Dropdown>
      </Popover>
      <span className={classes.edge} onPointerDown={(event) => drag(event, place.width, props.onResize)} />
    </div>
  );
}

const clamp = (width: number) => Math.max(56, Math.min(900, width));

function drag(event: PointerEvent<HTMLElement>, width: number, onResize: (width: number) => void): void {
  event.preventDefault();
  event.stopPropagation();
  const edge = event.currentTarget;
  const start = event.clientX;
  edge.setPointerCapture(event.pointerId);
  const move = (moved: globalThis.PointerEvent) => onResize(clamp(width + moved.clientX - start));
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
}
