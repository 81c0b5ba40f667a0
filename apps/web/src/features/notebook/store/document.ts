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
  /** The server has told everybody, and only the answer is not here yet. */
  isHeard?: boolean;
  /** All was loaded anew since it was sent: whatever its answer says of deleted cells is known, or will be told. */
  isLoadedOver?: boolean;
  /** The texts they were written over, by cell: the server writes over no others. */
  over: Map<string, string>;
  /** The cell whose text was typed: who types is not told how to undo it by cells. */
  typedIn: string | null;
  /** From an earlier visit: the server may have done it, and only the answer was not heard. */
  isFromBefore?: boolean;
}

/** A longer text is refused where another one stands by now: both texts with every letter would be too much. */
const longestMerged = 100_000;

/** As they go out: with the texts they were written over. */
export const overTheirTexts = ({ operations, over, isLive }: Pending): Operation[] =>
  operations.map((each) => {
    const base = each.op === 'update_cell_source' ? over.get(each.cell_id) : undefined;
    if (base === undefined) return each;
    return isLive && base.length <= longestMerged ? { ...each, base } : { ...each, base_checksum: textChecksum(base) };
  });

/**
 * What the server has said is `base`; what was done here and has no answer yet is carried out on top of it, so that
 * everything shows at once and rolls back by itself when it is refused.
 */
export class NotebookDocument {
  pending: Pending[] = [];
  ids: string[] = [];
  private base: Parts = { cells: [], bin: [], head: { metadata: {}, revision: 0 }, items: new Map() };
  private local: Parts = this.base;
  private byId = new Map<string, DocumentCell>();
  /** The revision a cell had when it was last deleted: an older word of it does not bring it back. */
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
  /** As the server has it. */
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

  /** One's own letters come back to everybody before they are answered: merged once more they would be there twice. */
  private hear(cells: PublishedChange['cells']): void {
    for (const { id, source } of cells) {
      const item = this.pending.find(({ typedIn, isHeard }) => typedIn === id && !isHeard);
      if (!item?.isSent || !item.isLive) continue;
      const done = operateAll(this.base, overTheirTexts(item));
      if (!done.stale && done.change.cells.some((cell) => cell.id === id && cell.source === source))
        item.isHeard = true;
    }
  }

  /** The answer to what was done here comes after it was told to everybody: what is back since then stays. */
  takeAnswer(change: PublishedChange, { isLoadedOver = false }: Pending): void {
    const isBack = (id: string) => {
      const revision = this.base.cells.find((cell) => cell.id === id)?.revision ?? 0;
      return revision > (this.gone.get(id) ?? revision);
    };
    this.take({ ...change, deleted_ids: isLoadedOver ? [] : change.deleted_ids.filter((id) => !isBack(id)) });
  }

  /** What it would be like once they are carried out; null where they no longer can be. */
  tried(operations: Operation[]): { inverse: Operation[]; carryOut(): void } | null {
    const done = operateAll(this.local, operations);
    if (done.stale) return null;
    const carryOut = () => {
      this.adopt(after(this.local, done.change));
      this.outputs.take(done.change);
    };
    return { inverse: done.inverse, carryOut };
  }

  /** As it is on the screen. */
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

/** Whether nothing but its text is different: most of what is drawn of a cell does not change with every letter. */
const isSameBesideText = (one: DocumentCell, other: DocumentCell): boolean =>
  one.type === other.type && isSame(one.metadata, other.metadata) && isSame(one.attachments, other.attachments);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
