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
  // Other windows get them without what they show, rather than what was copied before.
  writeLocal(key, JSON.stringify(cells.map(({ outputs: _, execution_count: __, ...cell }) => cell)));
}

export const copiedCells = (): NewCell[] => newestCopied().map((cell) => ({ ...cell, id: newCellId() }));

/** As they were copied, with the names they had. */
export function newestCopied(): NewCell[] {
  let cells = copied;
  try {
    const kept: unknown = JSON.parse(readLocal(key) ?? 'null');
    // Of one's own one has everything.
    if (Array.isArray(kept) && !isSame(kept, copied)) cells = kept;
  } catch {
    // What this window has copied is as good.
  }
  return cells;
}

const isSame = (one: NewCell[], other: NewCell[]): boolean =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
