import type { DocumentCell, Operation } from '@atoll/contract';
import { type Box, fieldsOf, gapFor, itemOf, placeOf, type Tile, tilesOf, withTile } from '@atoll/notebook';
import { Signals } from '../notebook/signals.ts';
import type { NotebookStore } from '../notebook/store.ts';

const addable = new Set(['sticky', 'text', 'shape']);

/** The tiles of a notebook's dashboard and their places; a drag shows the resulting places. */
export class Dashboard extends Signals {
  readonly store: NotebookStore;
  private tiles: Tile[] = [];
  private preview: Tile[] | null = null;
  private others: string[] = [];
  private isEditing = false;

  constructor(store: NotebookStore) {
    super();
    this.store = store;
    this.derive();
    store.subscribe('document', () => this.derive());
  }

  /** Tiles in reading order, which does not change during a drag. */
  getTiles = (): Tile[] => this.tiles;
  getOthers = (): string[] => this.others;
  getEditing = (): boolean => this.isEditing && this.store.mode === 'edit';
  placeOf = (id: string): Tile | undefined => (this.preview ?? this.tiles).find((tile) => tile.id === id);

  setEditing(isEditing: boolean): void {
    this.isEditing = isEditing;
    this.emit('editing');
  }

  private cells = (): DocumentCell[] => this.store.getOrder().flatMap((id) => this.store.getCell(id) ?? []);

  private derive(): void {
    const items = [...this.store.getItems().values()];
    const cells = this.cells();
    const tiles = tilesOf(cells, items);
    const known = new Set(tiles.map(({ id }) => id));
    const others = [
      ...cells.filter(({ type, source }) => type !== 'raw' && source.trim() !== ''),
      ...items.filter((item) => {
        const { kind = '', text = '' } = itemOf(item) ?? {};
        return addable.has(kind) && text !== '';
      }),
    ].flatMap(({ id }) => (known.has(id) ? [] : id));
    const isSame = JSON.stringify([tiles, others]) === JSON.stringify([this.tiles, this.others]);
    if (isSame) return;
    [this.tiles, this.others] = [tiles, others];
    this.emit('tiles');
  }

  /** Shows the result of dropping the tile here. */
  show(tile: Tile | null): void {
    this.preview = tile && withTile(this.tiles, tile);
    this.emit('places');
  }

  drop(tile: Tile): void {
    this.preview = null;
    this.put(withTile(this.tiles, tile));
    this.emit('places');
  }

  add(ids: readonly string[]): void {
    let tiles = this.tiles;
    for (const id of ids) tiles = [...tiles, { id, ...gapFor(tiles, this.sizeOf(id)) }];
    this.put(tiles);
  }

  remove(id: string): void {
    this.store.edit([placing(this.store, id, null)]);
  }

  /** The size of the thing on the board, in columns and rows. */
  private sizeOf(id: string): { w: number; h: number } {
    const cell = this.store.getCell(id);
    const item = this.store.getItems().get(id);
    const box = cell ? placeOf(cell) : item && itemOf(item);
    if (!box) return cell?.type === 'input' ? { w: 3, h: 2 } : { w: 6, h: 5 };
    const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, Math.round(value)));
    return { w: clamp(box.w / 105, 2, 12), h: clamp(box.h / 60, 1, 10) };
  }

  /** Stores the places that are shown, so that they are the same for everyone. */
  private put(tiles: readonly Tile[]): void {
    const changed = tiles.filter(({ id, x, y, w, h }) => {
      const grid = fieldsOf(this.storedOf(id));
      return grid.x !== x || grid.y !== y || grid.w !== w || grid.h !== h;
    });
    this.store.edit(changed.map(({ id, x, y, w, h }) => placing(this.store, id, { x, y, w, h })));
  }

  private storedOf(id: string): unknown {
    const cell = this.store.getCell(id);
    return cell
      ? fieldsOf(fieldsOf(cell.metadata.atoll).place).grid
      : fieldsOf(this.store.getItems().get(id)?.fields).grid;
  }
}

function placing(store: NotebookStore, id: string, grid: Box | null): Operation {
  const isCell = store.getCell(id) !== undefined;
  return isCell
    ? { op: 'update_cell_metadata', cell_id: id, metadata: { atoll: { place: { grid } } } }
    : { op: 'update_item', item_id: id, fields: { grid } };
}

/** The topic of a cell or item, in one line. */
export function lineOf(store: NotebookStore, id: string): string {
  const cell = store.getCell(id);
  const { label, name } = fieldsOf(fieldsOf(cell?.metadata.atoll).input);
  const words = cell ? label || name || cell.source : fieldsOf(store.getItems().get(id)?.fields).text;
  const line =
    String(words ?? '')
      .split('\n')
      .find((each) => each.trim() !== '') ?? '';
  return line.replace(/^#+\s*/, '').trim();
}
