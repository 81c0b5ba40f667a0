import type { Cell, TableColumn } from '@atoll/contract/files/data';
import { useDebouncedCallback } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { toast, toastError } from '../../../ui/toast.ts';
import { CellDialog } from './cell-dialog.tsx';
import { ColumnHeader } from './column-header.tsx';
import { DataCell } from './data-cell.tsx';
import classes from './data-grid.module.css';
import { boundsOf, type Place, placeAfter, type Range } from './grid-keys.ts';
import { grouped, nextSort, type TableState, toTsv, usualWidth } from './model.ts';
import type { TableView } from './use-table.ts';

const rowHeight = 30;
const headerHeight = 36;
const mostCopied = 5_000;

interface DataGridProps {
  label: string;
  columns: TableColumn[];
  /** Rows from which the widths are estimated. */
  sample: Cell[][];
  /** The number of shown rows, and the first of them. */
  count: number;
  start: number;
  table: TableView;
  state: TableState;
  onChange(patch: Partial<TableState>): void;
  onSeen(rows: { from: number; to: number }): void;
  onDescribe(column: string): void;
}

export function DataGrid({ label, columns, sample, count, start, table, state, ...props }: DataGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState(() => columns.map((column, index) => usualWidth(column, index, sample)));
  const [range, setRange] = useState<Range | null>(null);
  const [menu, setMenu] = useState<number | null>(null);
  const [opened, setOpened] = useState<Place | null>(null);
  const numberWidth = Math.max(44, String(start + count).length * 8 + 24);

  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: headerHeight,
  });
  const cells = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 120,
    overscan: 3,
    scrollPaddingStart: numberWidth,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when a width changes.
  useEffect(() => cells.measure(), [widths]);

  const shownRows = rows.getVirtualItems();
  const from = start + (shownRows[0]?.index ?? 0);
  const to = start + (shownRows.at(-1)?.index ?? 0);
  const tell = useDebouncedCallback(props.onSeen, 60);
  useEffect(() => tell({ from, to }), [from, to, tell]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are read from their beginning.
  useEffect(() => {
    setRange((current) => current && single({ ...current.focus, row: Math.min(0, current.focus.row) }));
    scroller.current?.scrollTo({ top: 0 });
  }, [start, state]);

  const focus = range?.focus;
  const go = (place: Place, isExtending: boolean) => {
    setRange((current) => ({ anchor: isExtending && current ? current.anchor : place, focus: place }));
    if (place.row >= 0) rows.scrollToIndex(place.row, { align: 'auto' });
    cells.scrollToIndex(place.column, { align: 'auto' });
  };
  const sort = (column: number) => {
    const name = columns[column]?.name;
    if (name !== undefined) props.onChange({ sort: nextSort(state.sort, name) });
  };
  const copy = async () => {
    if (!range) return;
    const { fromRow, toRow, fromColumn, toColumn } = boundsOf(range);
    if (toRow < 0) return navigator.clipboard.writeText(columns[range.focus.column]?.name ?? '');
    if (toRow - fromRow >= mostCopied) return toast(`Up to ${grouped(mostCopied)} rows can be copied at once.`);
    try {
      const found = await table.load(start + fromRow, start + toRow);
      const picked = found.map((row) => row.slice(fromColumn, toColumn + 1));
      const isOne = picked.length === 1 && picked[0]?.length === 1;
      await navigator.clipboard.writeText(isOne ? String(picked[0]?.[0] ?? '') : toTsv(picked));
      toast(isOne ? 'Cell copied.' : `${grouped(picked.length)} × ${picked[0]?.length ?? 0} cells copied.`);
    } catch (error) {
      toastError(error, 'Copy failed');
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || !columns.length) return;
    const at = focus ?? { row: 0, column: 0 };
    const isCommand = event.ctrlKey || event.metaKey;
    const act = (work: () => void) => {
      event.preventDefault();
      work();
    };
    if (isCommand && event.key.toLowerCase() === 'c') return act(() => void copy());
    if (isCommand && event.key.toLowerCase() === 'a') {
      return act(() =>
        setRange({ anchor: { row: 0, column: 0 }, focus: { row: count - 1, column: columns.length - 1 } }),
      );
    }
    if (event.key === 'Escape') return setRange(single(at));
    if (event.key === 'ArrowDown' && event.altKey) return act(() => setMenu(at.column));
    if (event.key === 'Enter' || event.key === ' ') return act(() => (at.row < 0 ? sort(at.column) : setOpened(at)));
    const rowsOnPage = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 300) - headerHeight) / rowHeight) - 1,
    );
    const next = placeAfter(at, { key: event.key, isFar: isCommand, rowsOnPage }, count, columns.length);
    if (next) act(() => go(next, event.shiftKey));
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0) return;
    setRange((current) => ({ anchor: event.shiftKey && current ? current.anchor : place, focus: place }));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    // A moving finger scrolls.
    if (event.buttons !== 1 || event.pointerType !== 'mouse') return;
    const place = placeOf(event.target);
    if (place) setRange((current) => current && { ...current, focus: place });
  };

  const bounds = range ? boundsOf(range) : null;
  const isChosen = (row: number, column: number) =>
    bounds !== null &&
    row >= bounds.fromRow &&
    row <= bounds.toRow &&
    column >= bounds.fromColumn &&
    column <= bounds.toColumn;
  const width = cells.getTotalSize() + numberWidth;
  const shownColumns = cells.getVirtualItems();
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot show a part of millions of rows. */}
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={`Rows of ${label}`}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={focus ? cellId(focus) : undefined}
        className={classes.grid}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          // The active cell shows the focus.
          const isEmpty = range === null && count > 0 && columns.length > 0;
          if (isEmpty && event.target === scroller.current) go({ row: 0, column: 0 }, false);
        }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onDoubleClick={(event) => setOpened(placeOf(event.target))}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className={classes.head} style={{ width, height: headerHeight }}>
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
          <div role="row" aria-rowindex={1} className={classes.headRow}>
            {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
            <div role="columnheader" aria-colindex={1} className={classes.corner} style={{ width: numberWidth }}>
              #
            </div>
            {shownColumns.map(({ index, start: left, size }) => {
              const column = columns[index];
              return (
                column && (
                  <ColumnHeader
                    key={index}
                    id={cellId({ row: -1, column: index })}
                    index={index}
                    column={column}
                    place={{ left: left + numberWidth, width: size }}
                    state={state}
                    isActive={focus?.row === -1 && focus.column === index}
                    isOpen={menu === index}
                    onOpen={(isOpen) => {
                      setMenu(isOpen ? index : null);
                      if (!isOpen) scroller.current?.focus({ preventScroll: true });
                    }}
                    onSort={() => sort(index)}
                    onResize={(next) => setWidths((all) => all.map((each, at) => (at === index ? next : each)))}
                    onChange={props.onChange}
                    onDescribe={() => props.onDescribe(column.name)}
                  />
                )
              );
            })}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className={classes.rows} style={{ width, height: rows.getTotalSize() }}>
          {shownRows.map(({ index, start: top }) => {
            const row = table.rowAt(start + index);
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: as above.
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ top, width, height: rowHeight }}
              >
                {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
                {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
                <div role="rowheader" aria-colindex={1} className={classes.number} style={{ width: numberWidth }}>
                  {start + index + 1}
                </div>
                {shownColumns.map(({ index: column, start: left, size }) => (
                  <DataCell
                    key={column}
                    id={cellId({ row: index, column })}
                    at={{ row: index, column }}
                    place={{ left: left + numberWidth, width: size }}
                    kind={columns[column]?.kind ?? 'text'}
                    value={row?.[column]}
                    isLoading={row === undefined}
                    isChosen={isChosen(index, column)}
                    isActive={focus?.row === index && focus.column === column}
                  />
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <CellDialog
        column={opened ? columns[opened.column] : undefined}
        row={opened ? start + opened.row + 1 : 0}
        value={opened ? table.rowAt(start + opened.row)?.[opened.column] : undefined}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

const single = (place: Place): Range => ({ anchor: place, focus: place });
const cellId = ({ row, column }: Place) => `cell-${row}-${column}`;

function placeOf(target: EventTarget): Place | null {
  const cell = (target as Element).closest?.('[data-cell]');
  const [row, column] = (cell?.getAttribute('data-cell') ?? '').split(' ');
  return row && column ? { row: Number(row), column: Number(column) } : null;
}
