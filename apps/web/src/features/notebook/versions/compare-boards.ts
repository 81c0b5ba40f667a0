import type { Notebook } from '@atoll/contract';
import { itemOf, placeOf, type Thing, tilesOf } from '@atoll/notebook';

type Compared = Pick<Notebook, 'cells' | 'items'>;
type Difference = 'added' | 'removed' | 'changed';

export interface BoardsCompared {
  /** By cell or item. */
  canvas: ReadonlyMap<string, Difference>;
  dashboard: ReadonlyMap<string, Difference>;
}

/** All things on the canvas: cells with a place, and the items beside them. */
export function thingsOn({ cells, items }: Compared): Thing[] {
  const taken = new Set(cells.map(({ id }) => id));
  return [
    ...cells.flatMap((cell) => placeOf(cell) ?? []),
    ...items.flatMap((item) => (taken.has(item.id) ? [] : (itemOf(item) ?? []))),
  ];
}

/** Compares two versions of a canvas and of a dashboard. */
export function compareBoards(left: Compared, right: Compared): BoardsCompared {
  const onCanvas = (notebook: Compared) =>
    // The place on the dashboard is compared separately.
    new Map(thingsOn(notebook).map(({ grid: _, ...thing }) => [thing.id, JSON.stringify(thing)]));
  const onDashboard = (notebook: Compared) =>
    new Map(tilesOf(notebook.cells, notebook.items).map((tile) => [tile.id, JSON.stringify(tile)]));
  return {
    canvas: differences(onCanvas(left), onCanvas(right)),
    dashboard: differences(onDashboard(left), onDashboard(right)),
  };
}

function differences(before: Map<string, string>, after: Map<string, string>): Map<string, Difference> {
  const found = new Map<string, Difference>();
  for (const [id, words] of after) {
    const old = before.get(id);
    if (old !== words) found.set(id, old === undefined ? 'added' : 'changed');
  }
  for (const id of before.keys()) if (!after.has(id)) found.set(id, 'removed');
  return found;
}
