import { arranged, type Box, compareThings, itemOf, type PlacedCell, placeOf, type Thing } from '@atoll/notebook';
import { estimatedHeight } from '../notebook/estimate.ts';
import type { NotebookStore } from '../notebook/store.ts';

/** Differences since the last read. */
interface Change {
  changed: string[];
  /** A thing was added or removed. */
  isOther: boolean;
  /** The stacking order changed. */
  isRanked: boolean;
  isListed: boolean;
}

/** The things on a board, read from the document; an unchanged thing stays the same object. */
export class BoardContents {
  private readonly store: NotebookStore;
  private sources = new Map<string, unknown>();
  things: ReadonlyMap<string, Thing> = new Map();
  /** Ordered by id and not by height, because a frame that is moved in the page would load again. */
  ids: string[] = [];
  ranks: ReadonlyMap<string, number> = new Map();
  unplaced: string[] = [];
  /** Places of the cells as long as no cell has a stored place. */
  automatic: Map<string, Box> | null = null;

  constructor(store: NotebookStore) {
    this.store = store;
  }

  read(): Change {
    const before = this.things;
    const { things, sources, unplaced, changed } = this.collect();
    const isOther = things.size !== before.size || changed.some((id) => !before.has(id));
    const isRanked = isOther || changed.some((id) => before.get(id)?.z !== things.get(id)?.z);
    [this.things, this.sources] = [things, sources];
    if (isRanked) {
      const ranked = [...things.values()].sort(compareThings);
      this.ranks = new Map(ranked.map(({ id }, rank) => [id, rank]));
    }
    if (isOther) this.ids = [...things.keys()].sort();
    const listed = this.automatic ? [] : unplaced;
    const isListed = listed.join(' ') !== this.unplaced.join(' ');
    if (isListed) this.unplaced = listed;
    return { changed, isOther, isRanked, isListed };
  }

  private collect() {
    const things = new Map<string, Thing>();
    const sources = new Map<string, unknown>();
    const unplaced: string[] = [];
    const changed: string[] = [];
    const take = (id: string, source: unknown, make: () => Thing | null) => {
      const before = this.sources.get(id) === source ? this.things.get(id) : undefined;
      const thing = before ?? make();
      if (!thing) return false;
      things.set(id, thing);
      sources.set(id, source);
      if (!before) changed.push(id);
      return true;
    };
    const order = this.store.getOrder();
    for (const id of order) {
      const cell = this.store.getCell(id);
      // Typing makes a new cell object with the same metadata object.
      if (cell && !take(id, cell.metadata, () => placeOf(cell))) unplaced.push(id);
    }
    this.automatic = unplaced.length > 0 && unplaced.length === order.length ? this.arrange(unplaced) : null;
    for (const [id, box] of this.automatic ?? [])
      take(id, `${box.x} ${box.y} ${box.w} ${box.h}`, () => automaticPlace(id, box));
    for (const [id, item] of this.store.getItems()) {
      // A cell has the same id.
      if (item.fields && !things.has(id)) take(id, item.fields, () => itemOf(item));
    }
    return { things, sources, unplaced, changed };
  }

  private arrange(ids: string[]): Map<string, Box> {
    const cells = ids.flatMap((id) => this.store.getCell(id) ?? []);
    // The first estimate stays, so that cells do not jump while a person types or outputs change.
    const heights = new Map([...(this.automatic ?? [])].map(([id, { h }]) => [id, h]));
    return arranged(cells, (id) => {
      const cell = this.store.getCell(id);
      return heights.get(id) ?? (cell ? estimatedHeight(cell, this.store.getShown(id)) + 24 : 100);
    });
  }
}

const automaticPlace = (id: string, box: Box): PlacedCell => ({
  id,
  ...box,
  kind: 'cell',
  z: 0,
  isLocked: false,
  group: null,
  grid: null,
  show: 'both',
  isPlain: false,
});
