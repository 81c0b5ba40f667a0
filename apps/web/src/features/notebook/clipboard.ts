import type { NewCell } from '@atoll/contract';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import { newCellId } from './model.ts';

const key = 'notebook_clipboard';
let copied: NewCell[] = [];

/** Cells that were copied: for any notebook, also in another window. */
export function copyCells(cells: NewCell[]): void {
  copied = cells;
  writeLocal(key, null);
  if (writeLocal(key, JSON.stringify(cells))) return;
  // Other windows get the cells without outputs, rather than the cells that were copied before.
  writeLocal(key, JSON.stringify(cells.map(({ outputs: _, execution_count: __, ...cell }) => cell)));
}

export const copiedCells = (): NewCell[] => newestCopied().map((cell) => ({ ...cell, id: newCellId() }));

/** Returns the cells as they were copied, with their ids. */
export function newestCopied(): NewCell[] {
  let cells = copied;
  try {
    const kept: unknown = JSON.parse(readLocal(key) ?? 'null');
    // Cells copied in this window have their outputs.
    if (Array.isArray(kept) && !isSame(kept, copied)) cells = kept;
  } catch {
    // Unreadable storage: the cells copied in this window are used.
  }
  return cells;
}

const isSame = (one: NewCell[], other: NewCell[]): boolean =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
