/** A cell by its position; row -1 is the header. */
export interface Place {
  row: number;
  column: number;
}

export interface Range {
  anchor: Place;
  focus: Place;
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

interface Pressed {
  key: string;
  isFar: boolean;
  rowsOnPage: number;
}

/** Returns the cell to which a key moves; null for keys that do not move. */
export function placeAfter(
  { row, column }: Place,
  { key, isFar, rowsOnPage }: Pressed,
  rows: number,
  columns: number,
): Place | null {
  const at = (nextRow: number, nextColumn: number): Place => ({
    row: clamp(nextRow, -1, rows - 1),
    column: clamp(nextColumn, 0, columns - 1),
  });
  switch (key) {
    case 'ArrowUp':
      return at(isFar ? 0 : row - 1, column);
    case 'ArrowDown':
      return at(isFar ? rows - 1 : row + 1, column);
    case 'ArrowLeft':
      return at(row, isFar ? 0 : column - 1);
    case 'ArrowRight':
      return at(row, isFar ? columns - 1 : column + 1);
    case 'PageUp':
      return at(Math.max(0, row - rowsOnPage), column);
    case 'PageDown':
      return at(row + rowsOnPage, column);
    case 'Home':
      return at(isFar ? 0 : row, 0);
    case 'End':
      return at(isFar ? rows - 1 : row, columns - 1);
    default:
      return null;
  }
}

/** The rectangle between two cells. */
export function boundsOf({ anchor, focus }: Range) {
  return {
    fromRow: Math.max(0, Math.min(anchor.row, focus.row)),
    toRow: Math.max(anchor.row, focus.row),
    fromColumn: Math.min(anchor.column, focus.column),
    toColumn: Math.max(anchor.column, focus.column),
  };
}
