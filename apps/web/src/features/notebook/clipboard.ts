import type { NewCell } from '@atoll/contract';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import { newCellId } from './model.ts';

const key = 'notebook_clipboard';
let copied: NewCell[] = [];

/** Cells that were copied: for any notebook, also in another window. */
export function copyCells(cells: NewCell[]): void {
  copied = cells;
  writeLocal(key, null);
  writeLocal(key, JSON.stringify(cells));
}

export function copiedCells(): NewCell[] {
  let cells = copied;
  try {
    const kept: unknown = JSON.parse(readLocal(key) ?? 'null');
    if (Array.isArray(kept)) cells = kept;
  } catch {
    // What this window has copied is as good.
  }
  return cells.map((cell) => ({ ...cell, id: newCellId() }));
}
