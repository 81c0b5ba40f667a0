import type {
  BinnedCell,
  BoardItem,
  CellType,
  DocumentCell,
  DocumentChange,
  NotebookHead,
  Operation,
  PublishedCell,
  PublishedChange,
} from '@atoll/contract';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { defaultInput, inputOf, inputSource } from './cell-code.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { mergeTexts } from './merge-texts.ts';
import { merged, unmerged } from './patch.ts';
import { textChecksum } from './text-checksum.ts';

/** The state that an operation needs; a caller with part of a notebook gives the cells it names and their neighbours. */
export interface NotebookParts {
  /** In their order. */
  cells: readonly DocumentCell[];
  bin: readonly Pick<BinnedCell, keyof DocumentCell>[];
  head: NotebookHead;
  /** Includes deleted items as long as they are known, because a revision is used once. */
  items: ReadonlyMap<string, BoardItem>;
}

/** The reason why an operation no longer applies, returned as a regular result. */
export type Stale = 'gone' | 'exists' | 'changed';

export type Operated =
  | { change: DocumentChange; inverse: Operation[]; stale?: undefined }
  | { stale: Stale; cellId: string | null };

const noChange: DocumentChange = { cells: [], deleted_ids: [], head: null, cleared_ids: [], shown: {}, items: [] };

export const compareCells = (
  one: Pick<DocumentCell, 'rank' | 'id'>,
  other: Pick<DocumentCell, 'rank' | 'id'>,
): number =>
  one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : one.id < other.id ? -1 : one.id > other.id ? 1 : 0;

/** Returns ranks of the cells of a file without edits. */
export const initialRanks = (count: number, last: string | null = null): string[] =>
  generateNKeysBetween(last, null, count);

/** Carries out one operation and returns its change and its inverse, without changing its arguments. */
export function operate(parts: NotebookParts, operation: Operation): Operated {
  switch (operation.op) {
    case 'insert_cell':
      return insert(parts, operation);
    case 'move_cell':
      return withCell(parts, operation.cell_id, (cell) => move(parts, cell, operation.after_id));
    case 'delete_cell':
      return withCell(parts, operation.cell_id, (cell) => ({
        change: { ...noChange, deleted_ids: [cell.id] },
        inverse: [{ op: 'restore_cell', cell_id: cell.id }],
      }));
    case 'restore_cell':
      return restore(parts, operation);
    case 'set_cell_type':
      return withCell(parts, operation.cell_id, (cell) => retype(cell, operation.type));
    case 'update_cell_source':
      return withCell(parts, operation.cell_id, (cell) => {
        const { base, base_revision: revision, base_checksum: checksum } = operation;
        const isOther = checksum !== undefined && checksum !== textChecksum(cell.source);
        if (isOther || (revision !== undefined && revision !== cell.revision))
          return { stale: 'changed', cellId: cell.id };
        const source = base === undefined ? operation.source : mergeTexts(base, operation.source, cell.source);
        return changed(cell, { source }, [{ op: 'update_cell_source', cell_id: cell.id, source: cell.source }]);
      });
    case 'update_cell_metadata':
      return withCell(parts, operation.cell_id, (cell) => {
        const metadata = merged(cell.metadata, operation.metadata);
        const input = inputOf({ type: cell.type, metadata });
        const inverse: Operation[] = [
          { op: 'update_cell_metadata', cell_id: cell.id, metadata: unmerged(cell.metadata, operation.metadata) },
        ];
        return changed(cell, { metadata, ...(input ? { source: inputSource(input) } : {}) }, inverse);
      });
    case 'update_cell_attachments':
      return withCell(parts, operation.cell_id, (cell) => {
        const attachments = merged(cell.attachments ?? {}, operation.attachments);
        const inverse: Operation[] = [
          {
            op: 'update_cell_attachments',
            cell_id: cell.id,
            attachments: unmerged(cell.attachments ?? {}, operation.attachments),
          },
        ];
        return changed(cell, { attachments: Object.keys(attachments).length ? attachments : null }, inverse);
      });
    case 'update_metadata': {
      const { metadata, revision } = parts.head;
      const head = { metadata: merged(metadata, operation.metadata), revision: revision + 1 };
      const inverse: Operation[] = [{ op: 'update_metadata', metadata: unmerged(metadata, operation.metadata) }];
      return { change: { ...noChange, head }, inverse };
    }
    case 'clear_cell_output':
      return withCell(parts, operation.cell_id, (cell) => ({
        change: { ...noChange, cleared_ids: [cell.id] },
        inverse: [],
      }));
    case 'insert_item': {
      const { item_id, fields } = operation;
      if (parts.items.get(item_id)?.fields) return { stale: 'exists', cellId: item_id };
      return changedItem(parts, item_id, merged({}, fields), [{ op: 'delete_item', item_id }]);
    }
    case 'update_item': {
      const { item_id, fields } = operation;
      const before = parts.items.get(item_id)?.fields;
      // The item was moved together with others: a deleted one must not stop the move of the rest.
      if (!before) return { change: noChange, inverse: [] };
      const inverse: Operation[] = [{ op: 'update_item', item_id, fields: unmerged(before, fields) }];
      return changedItem(parts, item_id, merged(before, fields), inverse);
    }
    case 'delete_item': {
      const { item_id } = operation;
      const before = parts.items.get(item_id)?.fields;
      if (!before) return { change: noChange, inverse: [] };
      return changedItem(parts, item_id, null, [{ op: 'insert_item', item_id, fields: before }]);
    }
  }
}

function changedItem(parts: NotebookParts, id: string, fields: Fields | null, inverse: Operation[]): Operated {
  const revision = (parts.items.get(id)?.revision ?? 0) + 1;
  return { change: { ...noChange, items: [{ id, fields, revision }] }, inverse };
}

function withCell(parts: NotebookParts, cellId: string, work: (cell: DocumentCell) => Operated): Operated {
  const cell = parts.cells.find(({ id }) => id === cellId);
  return cell ? work(cell) : { stale: 'gone', cellId };
}

function changed(cell: DocumentCell, fields: Partial<DocumentCell>, inverse: Operation[]): Operated {
  return { change: { ...noChange, cells: [{ ...cell, ...fields, revision: cell.revision + 1 }] }, inverse };
}

/** Returns a rank between the cell before, or the cell nearest to its former place, and the next one. */
function rankAfter(cells: readonly DocumentCell[], afterId: string | null, exceptId?: string): string | null {
  const others = exceptId === undefined ? cells : cells.filter(({ id }) => id !== exceptId);
  const at = afterId === null ? -1 : others.findIndex(({ id }) => id === afterId);
  if (afterId !== null && at < 0) return null;
  const low = others[at]?.rank ?? null;
  // A cell from the bin can have the same rank as another: the new one goes after both.
  const next = others.slice(at + 1).find(({ rank }) => low === null || rank > low);
  return generateKeyBetween(low, next?.rank ?? null);
}

function insert(
  parts: NotebookParts,
  { cell, after_id: afterId }: Extract<Operation, { op: 'insert_cell' }>,
): Operated {
  if (parts.cells.some(({ id }) => id === cell.id) || parts.bin.some(({ id }) => id === cell.id)) {
    return { stale: 'exists', cellId: cell.id };
  }
  const rank = rankAfter(parts.cells, afterId);
  if (rank === null) return { stale: 'gone', cellId: afterId };
  const { outputs, execution_count, ...fields } = cell;
  const metadata = metadataFor(fields.type, fields.metadata);
  const input = inputOf({ type: fields.type, metadata });
  const made: DocumentCell = {
    ...fields,
    metadata,
    rank,
    revision: 1,
    ...(input ? { source: inputSource(input) } : {}),
  };
  const shown = outputs?.length
    ? {
        [cell.id]: {
          execution_count: execution_count ?? null,
          execution: null,
          outputs,
          outputs_total: outputs.length,
          outputs_bytes: JSON.stringify(outputs).length,
        },
      }
    : {};
  return { change: { ...noChange, cells: [made], shown }, inverse: [{ op: 'delete_cell', cell_id: cell.id }] };
}

function move(parts: NotebookParts, cell: DocumentCell, afterId: string | null): Operated {
  if (afterId === cell.id) return { change: noChange, inverse: [] };
  const rank = rankAfter(parts.cells, afterId, cell.id);
  if (rank === null) return { stale: 'gone', cellId: afterId };
  const before = parts.cells[parts.cells.indexOf(cell) - 1]?.id ?? null;
  return changed(cell, { rank }, [{ op: 'move_cell', cell_id: cell.id, after_id: before }]);
}

function restore(parts: NotebookParts, operation: Extract<Operation, { op: 'restore_cell' }>): Operated {
  const { cell_id: cellId, after_id: afterId } = operation;
  const binned = parts.bin.find(({ id }) => id === cellId);
  if (!binned) return { stale: parts.cells.some(({ id }) => id === cellId) ? 'exists' : 'gone', cellId };
  const { id, rank, type, source, metadata, attachments, revision } = binned;
  const cell: DocumentCell = { id, rank, type, source, metadata, attachments, revision };
  const place = afterId === undefined ? rank : rankAfter(parts.cells, afterId);
  if (place === null) return { stale: 'gone', cellId: afterId ?? null };
  return changed(cell, { rank: place }, [{ op: 'delete_cell', cell_id: cellId }]);
}

function retype(cell: DocumentCell, type: CellType): Operated {
  if (cell.type === type) return { change: noChange, inverse: [] };
  const metadata = metadataFor(type, cell.metadata);
  const input = inputOf({ type, metadata });
  const source = input ? inputSource(input) : cell.source;
  const { change, inverse } = changed(cell, { type, metadata, source }, [
    { op: 'set_cell_type', cell_id: cell.id, type: cell.type },
    ...(source === cell.source ? [] : [{ op: 'update_cell_source' as const, cell_id: cell.id, source: cell.source }]),
  ]) as Extract<Operated, { change: DocumentChange }>;
  // Only cells with code have outputs.
  const isCleared = runs(cell.type) && !runs(type);
  return { change: { ...change, cleared_ids: isCleared ? [cell.id] : [] }, inverse };
}

export const runs = (type: CellType): boolean => type === 'code' || type === 'sql' || type === 'input';

/** The file stores the type of a code cell in its metadata. */
function metadataFor(type: CellType, metadata: Fields): Fields {
  const { type: _, ...own } = fieldsOf(metadata.atoll);
  if (type === 'sql') return { ...metadata, atoll: { variable: 'result', ...own, type } };
  if (type === 'input') return { ...metadata, atoll: { input: defaultInput(), ...own, type } };
  if (Object.keys(own).length > 0) return { ...metadata, atoll: own };
  const { atoll: __, ...rest } = metadata;
  return rest;
}

/**
 * Applies received changes to cells: in any order and however often they arrive, the newest revision of each cell stays.
 */
export function applyChange<Known extends DocumentCell>(
  cells: readonly Known[],
  change: Pick<PublishedChange, 'cells' | 'deleted_ids'>,
  /** Makes the entry of a new cell. */
  make: (cell: DocumentCell) => Known,
): Known[] {
  if (change.cells.length === 0 && change.deleted_ids.length === 0) return [...cells];
  const gone = new Set(change.deleted_ids);
  const newer = new Map(change.cells.map((cell) => [cell.id, cell]));
  let isMoved = false;
  const result: Known[] = [];
  for (const cell of cells) {
    const update = newer.get(cell.id);
    newer.delete(cell.id);
    if (gone.has(cell.id)) continue;
    if (!update || update.revision <= cell.revision) {
      result.push(cell);
      continue;
    }
    isMoved ||= update.rank !== cell.rank;
    result.push({ ...cell, ...whole(update, cell.attachments) });
  }
  for (const cell of newer.values()) {
    if (gone.has(cell.id)) continue;
    result.push(make(whole(cell, null)));
    isMoved = true;
  }
  return isMoved ? result.sort(compareCells) : result;
}

/** The same for the items beside the cells. */
export function applyItems(
  items: ReadonlyMap<string, BoardItem>,
  changed: readonly BoardItem[],
): ReadonlyMap<string, BoardItem> {
  const newer = changed.filter(({ id, revision }) => revision > (items.get(id)?.revision ?? -1));
  return newer.length === 0 ? items : new Map([...items, ...newer.map((item) => [item.id, item] as const)]);
}

function whole({ attachments_of: _, ...cell }: PublishedCell, attachments: DocumentCell['attachments']): DocumentCell {
  return { ...cell, attachments: cell.attachments === undefined ? attachments : cell.attachments };
}

/** The change as it is published: unchanged pictures are left out, so that they are not sent with every letter. */
export function publishedChange(
  change: DocumentChange,
  before: (id: string) => DocumentCell | undefined,
): PublishedChange {
  const cells = change.cells.map((cell): PublishedCell => {
    const known = before(cell.id);
    if (!cell.attachments || known?.attachments !== cell.attachments) return cell;
    const { attachments: _, ...rest } = cell;
    return { ...rest, attachments_of: known.revision };
  });
  return { ...change, cells };
}

/** Whether a published change leaves out pictures that are not known here. */
export const isIncomplete = (
  find: (id: string) => DocumentCell | undefined,
  change: Pick<PublishedChange, 'cells'>,
): boolean =>
  change.cells.some(({ id, attachments_of: needed }) => needed !== undefined && (find(id)?.revision ?? -1) < needed);

/** Carries out several operations in order: all of them, or none and the first stale one. */
export function operateAll(parts: NotebookParts, operations: readonly Operation[]): Operated {
  let cells = parts.cells;
  let isOrdered = true;
  const alive = new Map(cells.map((cell) => [cell.id, cell]));
  const bin = new Map(parts.bin.map((cell) => [cell.id, cell]));
  let { head } = parts;
  const items = new Map(parts.items);
  const changedItems = new Set<string>();
  const changed = new Map<string, DocumentCell>();
  const deleted = new Set<string>();
  const cleared = new Set<string>();
  const shown: DocumentChange['shown'] = {};
  const inverse: Operation[][] = [];
  for (const operation of operations) {
    const single = aboutOneCell(operation);
    // Sort thousands of cells only for operations that need their order, because sorting for each one takes long.
    if (single === null && !isOrdered) {
      cells = [...alive.values()].sort(compareCells);
      isOrdered = true;
    }
    const cell = single === null ? undefined : alive.get(single);
    const given = single === null ? cells : cell ? [cell] : [];
    const done = operate({ cells: given, bin: single === null ? [...bin.values()] : [], head, items }, operation);
    if (done.stale) return done;
    const { change } = done;
    for (const item of change.items) {
      items.set(item.id, item);
      changedItems.add(item.id);
    }
    for (const each of change.cells) {
      alive.set(each.id, each);
      changed.set(each.id, each);
      deleted.delete(each.id);
      bin.delete(each.id);
    }
    for (const id of change.deleted_ids) {
      const gone = alive.get(id);
      if (gone) bin.set(id, gone);
      alive.delete(id);
      changed.delete(id);
      deleted.add(id);
    }
    isOrdered &&= change.cells.length === 0 && change.deleted_ids.length === 0;
    for (const id of change.cleared_ids) cleared.add(id);
    Object.assign(shown, change.shown);
    head = change.head ?? head;
    inverse.push(done.inverse);
  }
  const change = {
    cells: [...changed.values()],
    deleted_ids: [...deleted],
    head: head === parts.head ? null : head,
    cleared_ids: [...cleared],
    shown,
    items: [...changedItems].flatMap((id) => items.get(id) ?? []),
  };
  return { change, inverse: inverse.reverse().flat() };
}

/** The cell of an operation that needs no other cell; an empty id for an item. */
const aboutOneCell = (operation: Operation): string | null =>
  'item_id' in operation
    ? ''
    : 'cell_id' in operation && operation.op !== 'move_cell' && operation.op !== 'restore_cell'
      ? operation.cell_id
      : null;
