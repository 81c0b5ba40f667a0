import type { CellType, NewCell, Operation } from '@atoll/contract';
import {
  arrowEnds,
  type Box,
  boundsOf,
  defaultSize,
  type ItemKind,
  type PlacedItem,
  type Point,
  runs,
  type Thing,
} from '@atoll/notebook';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import { copyCells, newestCopied } from '../notebook/clipboard.ts';
import { type Fields, fieldsOf, newCell, newCellId } from '../notebook/model.ts';
import type { Board } from './board.ts';
import { aligned, contains, distributed, type Side } from './geometry.ts';

/** Changes the place or look of a thing; a cell stores these in its metadata. */
export const placing = ({ id, kind }: Pick<Thing, 'id' | 'kind'>, fields: Fields): Operation =>
  kind === 'cell'
    ? { op: 'update_cell_metadata', cell_id: id, metadata: { atoll: { place: fields } } }
    : { op: 'update_item', item_id: id, fields };

const rounded = ({ x, y, w, h }: Box): Fields => ({
  x: Math.round(x),
  y: Math.round(y),
  w: Math.round(w),
  h: Math.round(h),
});

/** The selected things that may be moved, resized and deleted. */
export const free = (board: Board, ids = board.getSelection()): Thing[] =>
  ids.flatMap((id) => {
    const thing = board.getThing(id);
    return thing && !thing.isLocked ? [thing] : [];
  });

/** An arrow has ends instead of a box; attached ends follow by themselves. */
function movedArrow(thing: PlacedItem, dx: number, dy: number): Fields {
  const end = ({ on, x, y }: { on: string | null } & Point) =>
    on ? {} : { x: Math.round(x + dx), y: Math.round(y + dy) };
  return { from: end(thing.from), to: end(thing.to) };
}

/** Stores the places at which things were dropped. */
export function drop(board: Board, boxes: readonly (Box & { id: string })[]): void {
  const operations = boxes.flatMap((box): Operation[] => {
    const thing = board.getThing(box.id);
    if (!thing) return [];
    const home = board.homeOf(box.id) ?? thing;
    const fields = rounded(box);
    const before: Fields = rounded(home);
    if (Object.keys(fields).every((name) => fields[name] === before[name])) return [];
    return [placing(thing, thing.kind === 'arrow' ? movedArrow(thing, box.x - home.x, box.y - home.y) : fields)];
  });
  if (!board.edit(operations)) board.stopMoving();
}

export function nudge(board: Board, dx: number, dy: number): void {
  const ids = carried(
    board,
    free(board).map(({ id }) => id),
  );
  drop(
    board,
    board.boxesOf(ids).map((box) => ({ ...box, x: box.x + dx, y: box.y + dy })),
  );
}

export function grow(board: Board, dw: number, dh: number): void {
  const boxes = board.boxesOf(free(board).map(({ id }) => id));
  drop(
    board,
    boxes.map((box) => ({ ...box, w: Math.max(40, box.w + dw), h: Math.max(32, box.h + dh) })),
  );
}

/** Returns the things with the contents of their frames, which move with them. */
export function carried(board: Board, ids: readonly string[]): string[] {
  const all = new Set(ids);
  for (const id of ids) {
    const frame = board.getThing(id);
    if (frame?.kind !== 'frame') continue;
    for (const thing of board.all()) if (!thing.isLocked && contains(frame, thing)) all.add(thing.id);
  }
  return [...all];
}

const highest = (board: Board): number => Math.max(0, ...board.all().map(({ z }) => z));
const lowest = (board: Board): number => Math.min(0, ...board.all().map(({ z }) => z));

export function raise(board: Board, where: 'front' | 'back'): void {
  const things = board.selected().sort((one, other) => board.rankOf(one.id) - board.rankOf(other.id));
  const from = where === 'front' ? highest(board) + 1 : lowest(board) - things.length;
  board.edit(things.map((thing, index) => placing(thing, { z: from + index })));
}

export function align(board: Board, side: Side): void {
  drop(board, aligned(board.boxesOf(free(board).map(({ id }) => id)), side));
}

export function distribute(board: Board, axis: 'x' | 'y'): void {
  drop(board, distributed(board.boxesOf(free(board).map(({ id }) => id)), axis));
}

export function group(board: Board): void {
  const things = board.selected();
  if (things.length < 2) return;
  const name = newCellId();
  board.edit(things.map((thing) => placing(thing, { group: name })));
}

export function ungroup(board: Board): void {
  board.edit(board.selected().flatMap((thing) => (thing.group ? [placing(thing, { group: null })] : [])));
}

export function toggleLock(board: Board): void {
  const things = board.selected();
  const isLocking = things.some(({ isLocked }) => !isLocked);
  board.edit(things.map((thing) => placing(thing, { locked: isLocking || null })));
}

export function change(board: Board, fields: Fields, ids = board.getSelection()): void {
  board.edit(
    ids.flatMap((id) => {
      const thing = board.getThing(id);
      return thing ? [placing(thing, fields)] : [];
    }),
  );
}

export function remove(board: Board): void {
  const things = free(board);
  const gone = new Set(things.map(({ id }) => id));
  // Arrows that stay keep the place of their end where the deleted things were.
  const loosened = board.all().flatMap((thing): Operation[] => {
    if (thing.kind !== 'arrow' || gone.has(thing.id)) return [];
    if (!gone.has(thing.from.on ?? '') && !gone.has(thing.to.on ?? '')) return [];
    const [from, to] = arrowEnds(thing, board.boxOf);
    const fields: Fields = {};
    if (gone.has(thing.from.on ?? '')) fields.from = { x: Math.round(from.x), y: Math.round(from.y) };
    if (gone.has(thing.to.on ?? '')) fields.to = { x: Math.round(to.x), y: Math.round(to.y) };
    return [placing(thing, fields)];
  });
  const deleted = things.map(
    ({ id, kind }): Operation =>
      kind === 'cell' ? { op: 'delete_cell', cell_id: id } : { op: 'delete_item', item_id: id },
  );
  if (deleted.length > 0 && board.edit([...loosened, ...deleted])) board.select([]);
}

export function insertItem(board: Board, kind: ItemKind, fields: Fields, isEditing = false): string {
  const id = newCellId();
  const z = kind === 'frame' ? lowest(board) : highest(board) + 1;
  if (board.edit([{ op: 'insert_item', item_id: id, fields: { kind, ...fields, z } }])) {
    board.select([id]);
    if (isEditing) board.edits(id);
  }
  return id;
}

/** A box around a point, or the box that was drawn. */
export const boxAt = (kind: ItemKind | 'cell', at: Point, drawn: Box | null): Fields => {
  if (drawn && drawn.w > 24 && drawn.h > 24) return rounded(drawn);
  const { w, h } = defaultSize(kind);
  return rounded({ x: at.x - w / 2, y: at.y - h / 2, w, h });
};

export function insertCell(board: Board, type: CellType, place: Fields, fields: Partial<NewCell> = {}): string {
  const last = board.store.getOrder().at(-1) ?? null;
  const [chosen] = board.selected().filter(({ kind }) => kind === 'cell');
  const cell = newCell(type, { ...fields, metadata: { atoll: { place: { ...place, z: highest(board) + 1 } } } });
  if (board.edit([{ op: 'insert_cell', cell, after_id: chosen?.id ?? last }])) board.select([cell.id]);
  return cell.id;
}

/** Puts cells without a place on the board, below its contents. */
export function putOnBoard(board: Board, ids: readonly string[], at?: Point): void {
  const { w, h } = defaultSize('cell');
  const all = board.bounds();
  let y = at?.y ?? (all ? all.y + all.h + 40 : 0);
  const x = at?.x ?? all?.x ?? 0;
  const operations = ids.map((cell_id): Operation => {
    const place = rounded({ x, y, w, h });
    y += h + 24;
    return { op: 'update_cell_metadata', cell_id, metadata: { atoll: { place } } };
  });
  if (!board.edit(operations)) return;
  board.select(ids);
  if (!at) board.fit(ids);
}

/** Removes cells from the board into the list beside it; they stay cells of the notebook. */
export function takeOffBoard(board: Board): void {
  const cells = free(board).filter(({ kind }) => kind === 'cell');
  board.edit(
    cells.map(
      (thing): Operation => ({ op: 'update_cell_metadata', cell_id: thing.id, metadata: { atoll: { place: null } } }),
    ),
  );
}

export function run(board: Board, ids = board.getSelection()): void {
  const { store } = board;
  const order = store.getOrder();
  const cells = ids
    .filter((id) => runs(store.getCell(id)?.type ?? 'raw'))
    .sort((one, other) => order.indexOf(one) - order.indexOf(other));
  if (store.mode !== 'view' && cells.length > 0) void store.run(cells);
}

export function commentOn(board: Board, id: string): void {
  if (board.getThing(id)?.kind === 'cell') board.ui.commentOn(id);
  else board.ui.commentOnPlace({ itemId: id });
}

export function connect(board: Board): void {
  const [from, to] = board.getSelection();
  const [start, end] = board.boxesOf([from ?? '', to ?? '']);
  if (!from || !to || !start || !end) return;
  insertItem(board, 'arrow', { from: { on: from, x: start.x, y: start.y }, to: { on: to, x: end.x, y: end.y } });
}

// The clipboard

const key = 'board_clipboard';

interface Copied {
  cellIds: string[];
  items: { id: string; fields: Fields }[];
}

function collect(board: Board): { cells: NewCell[]; items: Copied['items'] } {
  const things = board.selected();
  const cells = things
    .filter(({ kind }) => kind === 'cell')
    .flatMap(({ id }) => {
      const cell = board.store.copyOf(id, id);
      // Copies the place where the cell is seen, also when it was placed automatically.
      return cell ? { ...cell, metadata: withPlace(cell.metadata, board.boxOf(id)) } : [];
    });
  const known = board.store.getItems();
  const items = things.flatMap(({ id, kind }) => {
    const fields = kind === 'cell' ? null : known.get(id)?.fields;
    return fields ? { id, fields } : [];
  });
  return { cells, items };
}

export function copy(board: Board): void {
  const { cells, items } = collect(board);
  if (cells.length + items.length === 0) return;
  copyCells(cells);
  // Replaces an older picture in the clipboard, which would be pasted otherwise.
  const words = [...cells.map(({ source }) => source), ...items.map(({ fields }) => String(fields.text ?? ''))];
  void navigator.clipboard?.writeText(words.join('\n\n')).catch(() => {});
  writeLocal(key, JSON.stringify({ cellIds: cells.map(({ id }) => id), items } satisfies Copied));
}

const withPlace = (metadata: Fields, box: Box | undefined): Fields => {
  const atoll = fieldsOf(metadata.atoll);
  return box ? { ...metadata, atoll: { ...atoll, place: { ...fieldsOf(atoll.place), ...rounded(box) } } } : metadata;
};

/** The newest copy: from a board, or cells from a notebook. */
function copied(): { cells: NewCell[]; items: Copied['items'] } {
  let kept: Copied = { cellIds: [], items: [] };
  try {
    kept = JSON.parse(readLocal(key) ?? 'null') ?? kept;
  } catch {
    // Unreadable storage: the copied cells are used.
  }
  const newest = newestCopied();
  const isFromBoard = newest.map(({ id }) => id).join(' ') === kept.cellIds.join(' ');
  return { cells: newest, items: isFromBoard ? kept.items : [] };
}

export function paste(board: Board, at: Point | null): void {
  put(board, copied(), at);
}

export function duplicate(board: Board): void {
  put(board, collect(board), null);
}

function put(board: Board, { cells, items }: ReturnType<typeof copied>, at: Point | null): void {
  const boxes = [
    ...cells.map(({ metadata }) => fieldsOf(fieldsOf(metadata.atoll).place)),
    ...items.map(({ fields }) => fields),
  ].flatMap(({ x, y, w, h }) =>
    typeof x === 'number' && typeof y === 'number' ? [{ x, y, w: Number(w) || 1, h: Number(h) || 1 }] : [],
  );
  const all = boundsOf(boxes);
  const [dx, dy] = at && all ? [at.x - all.x - all.w / 2, at.y - all.y - all.h / 2] : [32, 32];
  const ids = new Map([...cells, ...items].map(({ id }) => [id, newCellId()]));
  const groups = new Map<string, string>();
  const shifted = (fields: Fields): Fields => {
    const { x, y, group: own } = fields;
    const moved: Fields = {
      ...fields,
      ...(typeof x === 'number' && typeof y === 'number' ? { x: x + dx, y: y + dy } : {}),
    };
    if (typeof own === 'string') {
      groups.set(own, groups.get(own) ?? newCellId());
      moved.group = groups.get(own);
    }
    for (const name of ['from', 'to']) {
      if (!(name in fields)) continue;
      const end = fieldsOf(fields[name]);
      const on = typeof end.on === 'string' ? (ids.get(end.on) ?? null) : null;
      moved[name] = { x: Number(end.x) + dx || 0, y: Number(end.y) + dy || 0, ...(on ? { on } : {}) };
    }
    delete moved.locked;
    return moved;
  };
  let [after, z] = [board.store.getOrder().at(-1) ?? null, highest(board)];
  let free = 0;
  const operations = [
    ...cells.map((cell): Operation => {
      const atoll = fieldsOf(cell.metadata.atoll);
      const place = fieldsOf(atoll.place);
      // Cells of a notebook have no place yet.
      const { w, h } = defaultSize('cell');
      const { x, y } = at ?? { x: board.getView().x + 80, y: board.getView().y + 80 };
      const next = typeof place.x === 'number' ? shifted(place) : rounded({ x, y: y + free++ * (h + 24), w, h });
      const id = ids.get(cell.id) ?? newCellId();
      const operation: Operation = {
        op: 'insert_cell',
        cell: { ...cell, id, metadata: { ...cell.metadata, atoll: { ...atoll, place: { ...next, z: ++z } } } },
        after_id: after,
      };
      after = id;
      return operation;
    }),
    ...items.map(
      ({ id, fields }): Operation => ({
        op: 'insert_item',
        item_id: ids.get(id) ?? newCellId(),
        fields: { ...shifted(fields), z: ++z },
      }),
    ),
  ];
  if (board.edit(operations)) board.select(ids.values());
}
