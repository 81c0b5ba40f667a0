import type { BoardItem, DocumentCell, NotebookHead, Operation, PublishedChange } from '@atoll/contract';
import { applyChange, applyItems, isIncomplete, type NotebookParts, operateAll, textChecksum } from '@atoll/notebook';
import type { Hub } from './hub.ts';
import type { Outputs } from './outputs.ts';

interface Parts extends NotebookParts {
  cells: DocumentCell[];
  bin: DocumentCell[];
}

export interface Pending {
  operations: Operation[];
  isSent: boolean;
  /** Written while there was a connection: merged with what others write at the same time. */
  isLive?: boolean;
  /** The change was received as an event, and only the answer is missing. */
  isHeard?: boolean;
  /** The notebook was loaded again since it was sent: the answer's deleted cells are known already, or come as events. */
  isLoadedOver?: boolean;
  /** The texts they were written over, by cell: the server overwrites no other text. */
  over: Map<string, string>;
  /** The cell whose text was typed: undo by cells does not apply to typing. */
  typedIn: string | null;
  /** From an earlier visit: the server may have done it already, and only its answer was lost. */
  isFromBefore?: boolean;
}

/**
 * A longer text is sent with only a checksum of its base, and refused where the cell has changed: both texts with every
 * letter would be too much data.
 */
const longestMerged = 100_000;

/** The operations as they are sent: with the texts they were written over. */
export const overTheirTexts = ({ operations, over, isLive }: Pending): Operation[] =>
  operations.map((each) => {
    const base = each.op === 'update_cell_source' ? over.get(each.cell_id) : undefined;
    if (base === undefined) return each;
    return isLive && base.length <= longestMerged ? { ...each, base } : { ...each, base_checksum: textChecksum(base) };
  });

/**
 * `base` is the newest state of the server. Edits of this window without an answer are carried out on top of it, so that
 * everything shows at once and rolls back by itself when it is refused.
 */
export class NotebookDocument {
  pending: Pending[] = [];
  ids: string[] = [];
  private base: Parts = { cells: [], bin: [], head: { metadata: {}, revision: 0 }, items: new Map() };
  private local: Parts = this.base;
  private byId = new Map<string, DocumentCell>();
  /** The revision of a cell at its last deletion: an older update does not restore it. */
  private readonly gone = new Map<string, number>();
  private readonly hub: Hub;
  private readonly outputs: Outputs;

  constructor(hub: Hub, outputs: Outputs) {
    this.hub = hub;
    this.outputs = outputs;
  }

  getOrder = (): string[] => this.ids;
  getCell = (id: string): DocumentCell | undefined => this.byId.get(id);
  getHead = (): NotebookHead => this.local.head;
  getItems = (): ReadonlyMap<string, BoardItem> => this.local.items;
  indexOf = (id: string): number => this.ids.indexOf(id);
  /** The source on the server. */
  sourceThere = (id: string): string | undefined => this.base.cells.find((cell) => cell.id === id)?.source;

  load(cells: DocumentCell[], head: NotebookHead, items: BoardItem[]): void {
    this.base = { cells, bin: this.base.bin, head, items: new Map(items.map((item) => [item.id, item])) };
    this.gone.clear();
    for (const item of this.pending) item.isLoadedOver = item.isSent;
    this.derive();
  }

  loadBin(bin: DocumentCell[]): void {
    this.base = { ...this.base, bin };
    this.derive();
  }

  take(change: PublishedChange): void {
    if (isIncomplete((id) => this.base.cells.find((cell) => cell.id === id), change)) this.hub.options.reload();
    const fresh = change.cells.filter(({ id, revision }) => revision > (this.gone.get(id) ?? 0));
    this.hear(fresh);
    this.base = after(this.base, { ...change, cells: fresh });
    for (const id of change.deleted_ids) {
      const revision = this.base.bin.find((cell) => cell.id === id)?.revision;
      if (revision !== undefined) this.gone.set(id, revision);
    }
    this.derive();
    this.outputs.take(change);
  }

  /**
   * Finds own edits among received events, which come before their answers: merging them once more would repeat the text.
   */
  private hear(cells: PublishedChange['cells']): void {
    for (const { id, source } of cells) {
      const item = this.pending.find(({ typedIn, isHeard }) => typedIn === id && !isHeard);
      if (!item?.isSent || !item.isLive) continue;
      const done = operateAll(this.base, overTheirTexts(item));
      if (!done.stale && done.change.cells.some((cell) => cell.id === id && cell.source === source))
        item.isHeard = true;
    }
  }

  /** Takes the answer to an own edit, which comes after its event: cells that were restored since then stay. */
  takeAnswer(change: PublishedChange, { isLoadedOver = false }: Pending): void {
    const isBack = (id: string) => {
      const revision = this.base.cells.find((cell) => cell.id === id)?.revision ?? 0;
      return revision > (this.gone.get(id) ?? revision);
    };
    this.take({ ...change, deleted_ids: isLoadedOver ? [] : change.deleted_ids.filter((id) => !isBack(id)) });
  }

  /** The result of carrying the operations out; null where that is no longer possible. */
  tried(operations: Operation[]): { inverse: Operation[]; carryOut(): void } | null {
    const done = operateAll(this.local, operations);
    if (done.stale) return null;
    const carryOut = () => {
      this.adopt(after(this.local, done.change));
      this.outputs.take(done.change);
    };
    return { inverse: done.inverse, carryOut };
  }

  /** Computes the state on the screen from `base` and the pending edits. */
  derive(): void {
    let parts = this.base;
    for (const item of this.pending) {
      if (item.isHeard) continue;
      const done = operateAll(parts, item.isLive ? overTheirTexts(item) : item.operations);
      if (!done.stale) parts = after(parts, done.change);
    }
    this.adopt(parts);
  }

  private adopt(parts: Parts): void {
    const [before, beforeIds, { head: beforeHead, items: beforeItems }] = [this.byId, this.ids, this.local];
    this.local = parts;
    this.byId = new Map(parts.cells.map((cell) => [cell.id, cell]));
    const ids = parts.cells.map(({ id }) => id);
    const isReordered = ids.length !== beforeIds.length || ids.some((id, index) => id !== beforeIds[index]);
    if (isReordered) this.ids = ids;
    for (const [id, cell] of this.byId) {
      const was = before.get(id);
      if (was === cell) continue;
      this.hub.emit(`cell:${id}`);
      if (!was || !isSameBesideText(was, cell)) this.hub.emit(`frame:${id}`);
    }
    if (isReordered) this.hub.emit('order');
    if (beforeHead !== parts.head) this.hub.emit('head');
    if (beforeItems !== parts.items) this.hub.emit('items');
    this.hub.emit('document');
  }
}

function after(parts: Parts, change: PublishedChange): Parts {
  const deleted = parts.cells.filter(({ id }) => change.deleted_ids.includes(id));
  const back = new Set(change.cells.map(({ id }) => id));
  const bin =
    deleted.length || parts.bin.some(({ id }) => back.has(id))
      ? [...parts.bin.filter(({ id }) => !back.has(id)), ...deleted]
      : parts.bin;
  const cells = applyChange(parts.cells, change, (cell) => cell);
  return { cells, bin, head: change.head ?? parts.head, items: applyItems(parts.items, change.items) };
}

/** Whether two cells differ only in their text: most parts of a drawn cell do not change with every letter. */
const isSameBesideText = (one: DocumentCell, other: DocumentCell): boolean =>
  one.type === other.type && isSame(one.metadata, other.metadata) && isSame(one.attachments, other.attachments);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
