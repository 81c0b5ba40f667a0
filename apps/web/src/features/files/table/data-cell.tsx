import type { Cell } from '@atoll/contract/files/data';
import type { ColumnKind } from '@atoll/contract/files/tables';
import { memo } from 'react';
import classes from './data-grid.module.css';
import type { Place } from './grid-keys.ts';
import { shownText } from './model.ts';

interface DataCellProps {
  id: string;
  at: Place;
  place: { left: number; width: number };
  kind: ColumnKind;
  value: Cell | undefined;
  isLoading: boolean;
  isChosen: boolean;
  isActive: boolean;
}

export const DataCell = memo(
  function DataCell({ id, at, place, kind, value, isLoading, isChosen, isActive }: DataCellProps) {
    const text = shownText(value, kind);
    return (
      // biome-ignore lint/a11y/useSemanticElements: a cell of a grid that shows a part of its rows.
      // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
      <div
        id={id}
        role="gridcell"
        aria-colindex={at.column + 2}
        aria-selected={isChosen}
        data-cell={`${at.row} ${at.column}`}
        data-kind={kind}
        data-active={isActive || undefined}
        className={classes.cell}
        style={place}
      >
        {isLoading ? (
          <span className={classes.coming} />
        ) : text === null ? (
          <span className={classes.null}>null</span>
        ) : (
          text
        )}
      </div>
    );
  },
  (before, after) =>
    before.value === after.value &&
    before.isLoading === after.isLoading &&
    before.isChosen === after.isChosen &&
    before.isActive === after.isActive &&
    before.kind === after.kind &&
    before.id === after.id &&
    before.place.left === after.place.left &&
    before.place.width === after.place.width,
);
