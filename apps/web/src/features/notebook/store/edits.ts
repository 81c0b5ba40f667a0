import type { DocumentCell, Operation, PublishedChange } from '@atoll/contract';
import { mergeTexts } from '@atoll/notebook';
import { RealtimeError } from '../../../platform/realtime/errors.ts';
import { newCellId } from '../model.ts';
import { refusalWords } from '../refusal.ts';
import type { About } from './about.ts';
import type { Connection, NotebookTopic } from './connection.ts';
import { type NotebookDocument, overTheirTexts, type Pending } from './document.ts';
import type { Hub } from './hub.ts';
import { type KeptTexts, mayNotWrite, type Unsent } from './kept.ts';
import type { Locks } from './locks.ts';
import { mergedText } from './merge-text.ts';
import type { Saving, SavingState } from './saving.ts';

interface EditsParts {
  about: About;
  connection: Connection;
  document: NotebookDocument;
  kept: KeptTexts;
  locks: Locks;
  saving: SavingState;
}

/** Typed text is sent at most this often: others see it grow, and the browser is free for the next key. */
const typeEveryMs = 250;

/** Edits of this window: they are sent to the server, and kept or rolled back when it refuses them. */
export class Edits {
  private readonly drafts = new Map<string, string>();
  /** The texts that the drafts were written over. */
  private readonly draftsOver = new Map<string, string>();
  private typing: ReturnType<typeof setTimeout> | undefined;
  private readonly hub: Hub;
  private readonly parts: EditsParts;

  constructor(hub: Hub, parts: EditsParts) {
    this.hub = hub;
    this.parts = parts;
  }

  /** The text on the screen, with unsent typing merged with edits of others. */
  sourceOf = (id: string): string => {
    const draft = this.drafts.get(id);
    const known = this.parts.document.getCell(id)?.source;
    const over = this.draftsOver.get(id);
    if (draft === undefined || known === undefined || over === undefined || known === over) return draft ?? known ?? '';
    if (!this.parts.connection.topic) return draft;
    const merged = mergeTexts(over, draft, known);
    this.drafts.set(id, merged);
    this.draftsOver.set(id, known);
    return merged;
  };

  save(change: Partial<Saving> = {}): void {
    const isDone = this.parts.document.pending.length === 0 && this.drafts.size === 0;
    this.parts.saving.change({ ...change, isDone });
  }

  /** Shows the operations at once and sends them. Returns their inverse, or null where they no longer apply. */
  push(operations: Operation[], typedIn: string | null = null, over?: string): Operation[] | null {
    const { document } = this.parts;
    const tried = document.tried(operations);
    if (!tried) return null;
    const last = document.pending.at(-1);
    if (typedIn !== null && last?.typedIn === typedIn && !last.isSent) last.operations = operations;
    else {
      const under = this.textsUnder(operations);
      if (typedIn !== null && over !== undefined) under.set(typedIn, over);
      const isLive = this.parts.connection.topic !== null;
      document.pending.push({ operations, isSent: false, isLive, over: under, typedIn });
    }
    tried.carryOut();
    this.save();
    this.pump();
    return tried.inverse;
  }

  private textsUnder(operations: Operation[]): Map<string, string> {
    const under = new Map<string, string>();
    const named = new Set<string>();
    for (const operation of operations) {
      if (!('cell_id' in operation)) continue;
      const { op, cell_id } = operation;
      const cell = op === 'update_cell_source' ? this.parts.document.getCell(cell_id) : undefined;
      // Another operation of the same batch changes the cell first, so its text is unknown.
      if (cell && !named.has(cell.id)) under.set(cell.id, cell.source);
      else under.delete(cell_id);
      named.add(cell_id);
    }
    return under;
  }

  /** Takes the text that is being typed into a cell. */
  type = (id: string, text: string): void => {
    const known = this.parts.document.getCell(id)?.source;
    if (!this.drafts.has(id)) this.draftsOver.set(id, known ?? '');
    if (known === text) this.drafts.delete(id);
    else this.drafts.set(id, text);
    this.typing ??= setTimeout(this.flush, typeEveryMs);
    if (this.parts.saving.get().isDone) this.save();
    this.parts.locks.want(id);
  };

  /** Sends all typed text at once, for a command that needs it on the server. */
  flush = (): void => {
    clearTimeout(this.typing);
    this.typing = undefined;
    for (const id of [...this.drafts.keys()]) {
      const source = this.sourceOf(id);
      this.drafts.delete(id);
      const over = this.draftsOver.get(id) ?? '';
      this.draftsOver.delete(id);
      const written: Operation = { op: 'update_cell_source', cell_id: id, source };
      if (this.push([written], id, over) === null) this.keepBoth(id, over, source);
    }
    this.save();
  };

  pump(): void {
    const { connection, document } = this.parts;
    if (!connection.topic) return;
    for (const item of document.pending) if (!item.isSent) void this.send(connection.topic, item);
  }

  private async send(topic: NotebookTopic, item: Pending): Promise<void> {
    const { document } = this.parts;
    item.isSent = true;
    try {
      const change = await topic.send('edit', { operations: overTheirTexts(item) }, { timeoutMs: null });
      document.pending = document.pending.filter((each) => each !== item);
      document.takeAnswer(change, item);
      this.save({ problem: null });
    } catch (error) {
      // Later edits of the same cell were handled together with this one.
      if (!document.pending.includes(item)) return;
      // The edit is sent again with the next connection.
      if (error instanceof RealtimeError && error.reason === null) {
        item.isSent = false;
        // The server may have carried it out: merging it once more would repeat the text.
        [item.isLive, item.isHeard] = [false, false];
        this.save();
        return;
      }
      this.refused(item, error);
    }
  }

  private refused(item: Pending, error: unknown): void {
    const { document, kept } = this.parts;
    const { reason, details } = error instanceof RealtimeError ? error : new RealtimeError('');
    const isElsewhere = reason === 'locked' || reason === 'stale';
    const { typedIn } = item;
    // The refusal may arrive before the event with the newer cell.
    const cells = details.cell ? [details.cell as DocumentCell] : [];
    const deleted_ids = details.stale === 'gone' && typedIn !== null ? [typedIn] : [];
    const now: PublishedChange = { cells, deleted_ids, head: null, cleared_ids: [], shown: {}, items: [] };
    if (typedIn !== null && isElsewhere) {
      const typed = document.pending.filter((each) => each.typedIn === typedIn);
      const [last] = (typed.at(-1) ?? item).operations;
      const mine = this.drafts.get(typedIn) ?? (last?.op === 'update_cell_source' ? last.source : '');
      this.drafts.delete(typedIn);
      document.pending = document.pending.filter((each) => !typed.includes(each));
      document.take(now);
      this.keepBoth(typedIn, item.over.get(typedIn) ?? '', mine, reason === 'locked' ? refusalWords(error) : null);
    } else if (reason === 'no_permissions') {
      this.keepAll(mayNotWrite);
      // Loads the rights that are left.
      this.hub.options.reload();
    } else {
      document.pending = document.pending.filter((each) => each !== item);
      document.take(now);
      for (const each of item.operations) if ('cell_id' in each) this.hub.emit(`rollback:${each.cell_id}`);
      // An earlier visit did it already, or its cell is gone.
      const isOld = item.isFromBefore && isElsewhere && details.stale !== 'changed';
      if (!isOld) this.hub.options.notify(refusalWords(error), true);
      if (!isElsewhere) kept.keep(item, refusalWords(error));
      // The second half of a split cell is no longer in the first one, so it is inserted.
      const inserted = item.operations.filter(({ op }) => op === 'insert_cell');
      if (!isOld && isElsewhere && inserted.length < item.operations.length && inserted.length > 0) this.push(inserted);
    }
    this.save();
  }

  /** Merges a text that cannot go where it was typed, or keeps it in a new cell; it never overwrites the text of others. */
  keepBoth(id: string, over: string, mine: string, refusal: string | null = null): void {
    const { document } = this.parts;
    const { notify } = this.hub.options;
    const here = document.getCell(id);
    if (here?.source === mine || (here && mine === over)) return;
    const merged = here && refusal === null ? mergedText(over, mine, here.source) : null;
    if (merged !== null) {
      this.push([{ op: 'update_cell_source', cell_id: id, source: merged }], id);
      notify('Someone else edited this cell. Both changes were merged.');
      return;
    }
    if (mine.trim() === '') return;
    const why =
      refusal ?? (here ? 'Someone else edited this cell.' : 'This cell was deleted while you were editing it.');
    const cell = {
      id: newCellId(),
      type: here?.type === 'markdown' ? ('markdown' as const) : ('code' as const),
      source: mine,
      metadata: { atoll: { theme: 'warning' } },
      attachments: null,
    };
    const after_id = here ? here.id : (document.ids.at(-1) ?? null);
    if (this.push([{ op: 'insert_cell', cell, after_id }]) !== null)
      notify(`${why} Your text is in a new cell below.`, true);
  }

  /** Stops sending: texts that were written stay on the screen as kept texts. */
  keepAll(why: string): void {
    const { about, document, kept } = this.parts;
    const items = this.getUnsent()?.items ?? [];
    if (about.mode === 'edit') about.takeMode('view');
    if (items.length === 0) return;
    clearTimeout(this.typing);
    this.typing = undefined;
    const drafted = [...this.drafts.keys()];
    this.drafts.clear();
    this.draftsOver.clear();
    document.pending = [];
    document.derive();
    for (const id of drafted) this.hub.emit(`cell:${id}`);
    for (const { operations, over } of items) kept.keep({ operations, over: new Map(over) }, why);
    this.save();
  }

  /** Sends pending edits, or keeps their texts where this person may no longer write. */
  resume(): void {
    if (this.parts.about.mode !== 'edit') this.keepAll(mayNotWrite);
    this.pump();
  }

  getUnsent = (): Unsent | null => {
    const { document, kept } = this.parts;
    const drafts = [...this.drafts].map(([id, source]) => ({
      operations: [{ op: 'update_cell_source' as const, cell_id: id, source }],
      over: [[id, this.draftsOver.get(id) ?? '']] as [string, string][],
      typedIn: id,
    }));
    const items = document.pending.map(({ operations, over, typedIn }) => ({ operations, over: [...over], typedIn }));
    const all = [...items, ...drafts];
    return all.length || kept.get().length ? { items: all, kept: kept.get() } : null;
  };

  /** Restores edits of an earlier visit, which are sent like edits made without a connection. */
  restore = ({ items, kept }: Unsent): void => {
    const { document } = this.parts;
    const before = items.map((item) => ({ ...item, over: new Map(item.over), isSent: false, isFromBefore: true }));
    document.pending = [...before, ...document.pending];
    document.derive();
    this.parts.kept.add(kept);
    this.save();
    this.resume();
  };
}
