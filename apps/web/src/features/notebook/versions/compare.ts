import type { Notebook } from '@atoll/contract';

type Cell = Notebook['cells'][number];

export interface ComparedCell {
  id: string;
  left: Cell | null;
  right: Cell | null;
  state: 'same' | 'changed' | 'added' | 'removed';
  isMoved: boolean;
  /** Only the outputs differ. */
  hasOtherOutputs: boolean;
}

const shownOf = ({ outputs, outputs_total }: Cell): string => JSON.stringify([outputs, outputs_total]);

/** Compares two notebooks cell by cell: in the order of the right one, with deleted cells at their former places. */
export function compareNotebooks(left: Cell[], right: Cell[]): ComparedCell[] {
  const before = new Map(left.map((cell) => [cell.id, cell]));
  const after = new Map(right.map((cell) => [cell.id, cell]));
  const stayed = new Set(
    longestInOrder(
      left.map(({ id }) => id),
      right.map(({ id }) => id),
    ),
  );
  const rows = right.map((cell): ComparedCell => {
    const old = before.get(cell.id) ?? null;
    const isSame = old !== null && old.source === cell.source && old.type === cell.type;
    return {
      id: cell.id,
      left: old,
      right: cell,
      state: !old ? 'added' : isSame ? 'same' : 'changed',
      isMoved: old !== null && !stayed.has(cell.id),
      hasOtherOutputs: old !== null && shownOf(old) !== shownOf(cell),
    };
  });
  left.forEach((cell, index) => {
    if (after.has(cell.id)) return;
    const previous = left
      .slice(0, index)
      .reverse()
      .find(({ id }) => rows.some((row) => row.id === id));
    const at = previous ? rows.findIndex(({ id }) => id === previous.id) + 1 : 0;
    rows.splice(at, 0, {
      id: cell.id,
      left: cell,
      right: null,
      state: 'removed',
      isMoved: false,
      hasOtherOutputs: false,
    });
  });
  return rows;
}

/** Finds the cells that did not move: the longest run of common ids in the same order on both sides. */
function longestInOrder(left: string[], right: string[]): string[] {
  const place = new Map(left.map((id, index) => [id, index]));
  const common = right.flatMap((id) => place.get(id) ?? []);
  // Patience sorting: `ends[n]` is the smallest end of a rising run of n + 1.
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const at of common) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    before.set(at, ends[low - 1]);
    ends[low] = at;
  }
  const found: string[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) found.push(left[at] as string);
  return found;
}
