import type {
  BinnedCell,
  CellLock,
  CellShown,
  CellType,
  DocumentCell,
  Notebook,
  NotebookHead,
  NotebookKernel,
  NotebookMode,
  NotebookSettings,
  Operation,
  QueuedCell,
  ToldChange,
  TopicEvent,
  topics,
} from '@atoll/contract';
import { applyChange, isIncomplete, type NotebookParts, operateAll, textChecksum } from '@atoll/notebook';
import { RealtimeError } from '../../platform/realtime/errors.ts';
import type { Subscription } from '../../platform/realtime/realtime.ts';
import { mergedText } from './merge-text.ts';
import { isEnded, newCellId, nothingShown, parted, withExecution } from './model.ts';
import { Signals } from './signals.ts';

export type NotebookTopic = Pick<Subscription<'notebook'>, 'send'>;
type Events = (typeof topics)['notebook'];
type Event<Name extends keyof Events['events'] & string> = TopicEvent<Events, Name>;

interface Pending {
  operations: Operation[];
  isSent: boolean;
  /** The texts they were written over, by cell: the server writes over no others. */
  over: Map<string, string>;
  /** The cell whose text was typed: who types is not told how to undo it by cells. */
  typedIn: string | null;
  /** From an earlier visit: the server may have done it, and only the answer was not heard. */
  isFromBefore?: boolean;
}

/** What was written here and the server would not have: nobody's words are thrown away. */
export interface KeptText {
  cellId: string;
  type: CellType;
  over: string;
  text: string;
  why: string;
}

/** What is nowhere but here. */
export interface Unsent {
  items: { operations: Operation[]; over: [string, string][]; typedIn: string | null }[];
  kept: KeptText[];
}

interface Parts extends NotebookParts {
  cells: DocumentCell[];
  bin: DocumentCell[];
}

export interface Saving {
  /** Nothing waits for the server. */
  isDone: boolean;
  isConnected: boolean;
  version: number;
  versionName: string | null;
  problem: string | null;
}

export interface StoreOptions {
  me: string;
  tag: string;
  notify(message: string, isError?: boolean): void;
  /** Loads it again: something was missed. */
  reload(): void;
  /** Once for everything that comes between two frames. */
  schedule(work: () => void): void;
  onExecuted?(cellId: string, shown: CellShown): void;
  onComm?(message: Event<'comm'>): void;
  /** There is more, or less, that is nowhere but here. */
  onUnsent?(): void;
}

/** Typed text goes out no oftener than this. */
const typeEveryMs = 100;
const settleMs = 300;
const calmMs = 80;
const maxUndo = 200;
const readyMs = 10_000;

/**
 * One open notebook. What the server has said is `base`; what was done here and has no answer yet is carried out on top
 * of it, so that everything shows at once and rolls back by itself when it is refused.
 */
export class NotebookStore extends Signals {
  readonly options: StoreOptions;
  private base: Parts = { cells: [], bin: [], head: { metadata: {}, revision: 0 } };
  private local: Parts = this.base;
  private byId = new Map<string, DocumentCell>();
  private ids: string[] = [];
  private pending: Pending[] = [];
  private kept: KeptText[] = [];
  private readonly drafts = new Map<string, string>();
  /** The texts they were written over. */
  private readonly draftsOver = new Map<string, string>();
  private typing: ReturnType<typeof setTimeout> | undefined;
  private readonly shown = new Map<string, CellShown>();
  /** The revision a cell had when it was deleted: an older word of it does not bring it back. */
  private readonly gone = new Map<string, number>();
  private queue: QueuedCell[] = [];
  private queued = new Map<string, { entry: QueuedCell; place: number }>();
  /** What has left the queue. */
  private readonly left = new Set<string>();
  /** Asked to run, and not answered yet. */
  private readonly asked = new Set<string>();
  private locks = new Map<string, CellLock>();
  private readonly wanted = new Set<string>();
  private topic: NotebookTopic | null = null;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private toldSaving = '';
  private saving: Saving = { isDone: true, isConnected: false, version: 0, versionName: null, problem: null };
  private undone: Operation[][] = [];
  private redone: Operation[][] = [];
  private readonly soon = new Set<string>();
  private isFrameAsked = false;
  private calm: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Set<(topic: NotebookTopic) => void>();
  kernel: NotebookKernel = {
    name: null,
    tier: 'l1',
    is_gpu: false,
    state: 'none',
    session_id: null,
    starter: null,
    started_at: null,
    end_message: null,
    features: [],
  };
  settings: NotebookSettings = { is_autorun_after_files_updated: false, is_parallel_execution_enabled: false };
  mode: NotebookMode = 'view';
  language = 'python';
  problems: string[] = [];
  versionId = '';

  constructor(options: StoreOptions) {
    super();
    this.options = options;
  }

  // What there is

  getOrder = (): string[] => this.ids;
  getCell = (id: string): DocumentCell | undefined => this.byId.get(id);
  getShown = (id: string): CellShown => this.shown.get(id) ?? nothingShown;
  getQueue = (): QueuedCell[] => this.queue;
  getQueued = (id: string): { entry: QueuedCell; place: number } | null => this.queued.get(id) ?? null;
  isAsked = (id: string): boolean => this.asked.has(id);
  countRunning = (): number => this.queue.filter(({ state }) => state === 'running').length;
  countWaiting = (): number => this.queue.filter(({ state }) => state === 'waiting').length;

  getKernel = (): NotebookKernel => this.kernel;
  getSettings = (): NotebookSettings => this.settings;
  getMode = (): NotebookMode => this.mode;
  getHead = (): NotebookHead => this.local.head;
  getSaving = (): Saving => this.saving;
  getProblems = (): string[] => this.problems;
  getKept = (): KeptText[] => this.kept;
  indexOf = (id: string): number => this.ids.indexOf(id);
  /** As it is on the screen, also what is not sent yet. */
  sourceOf = (id: string): string => this.drafts.get(id) ?? this.byId.get(id)?.source ?? '';
  canUndo = (): boolean => this.undone.length > 0;
  /** Somebody else, or I in another window. */
  getLock = (id: string): CellLock | null => {
    const lock = this.locks.get(id);
    return lock && !this.isMine(lock) ? lock : null;
  };

  private isMine = ({ user, tag }: CellLock): boolean => user.id === this.options.me && tag === this.options.tag;

  // What comes from the server

  load(notebook: Notebook): void {
    const parts = notebook.cells.map(parted);
    this.base = { cells: parts.map(([cell]) => cell), bin: this.base.bin, head: notebook.head };
    this.gone.clear();
    this.shown.clear();
    for (const [cell, shown] of parts) this.shown.set(cell.id, shown);
    this.language = notebook.language;
    this.mode = notebook.mode;
    this.problems = notebook.problems;
    this.settings = notebook.settings;
    this.versionId = notebook.version_id;
    this.takeQueue(notebook.queue);
    this.takeKernel(notebook.kernel);
    this.takeLocks(notebook.locks);
    this.derive();
    for (const id of this.ids) this.emit(`shown:${id}`);
    for (const key of ['mode', 'settings', 'problems']) this.emit(key);
    this.save({ version: notebook.version });
  }

  connected(topic: NotebookTopic, mode?: NotebookMode): void {
    this.topic = topic;
    if (mode && mode !== this.mode) {
      this.mode = mode;
      this.emit('mode');
    }
    this.save({ isConnected: true });
    if (this.mode !== 'edit') this.keepAll(mayNotWrite);
    // A lock ends with the connection it was asked for on.
    const wanted = [...this.wanted];
    this.wanted.clear();
    const last = wanted.at(-1);
    if (last !== undefined && this.byId.has(last)) this.lock(last);
    this.pump();
    for (const give of [...this.waiting]) give(topic);
  }

  disconnected(): void {
    this.topic = null;
    this.save({ isConnected: false });
  }

  /** The server does not let us in any more. */
  lost(why: string): void {
    this.disconnected();
    this.keepAll(why);
  }

  readonly on = {
    document_changed: (change: Event<'document_changed'>) => this.takeChange(change),
    document_replaced: () => this.options.reload(),
    execution_changed: ({ execution, changes }: Event<'execution_changed'>) => {
      if (execution.cell === null) return;
      const before = this.getShown(execution.cell);
      // The cell shows another run by now.
      if (
        before.execution &&
        before.execution.id !== execution.id &&
        before.execution.started_at > execution.started_at
      )
        return;
      const after = withExecution(before, execution, changes);
      if (!after) return void this.reloadOutputs(execution.cell);
      this.show(execution.cell, after);
      if (isEnded(execution) && !(before.execution && isEnded(before.execution)))
        this.options.onExecuted?.(execution.cell, after);
    },
    cell_executed: ({ cell_id, execution }: Event<'cell_executed'>) => {
      this.asked.delete(cell_id);
      const before = this.getShown(cell_id);
      if (before.execution?.id === execution.id) {
        this.show(cell_id, { ...before, execution: isEnded(before.execution) ? before.execution : execution });
      } else {
        this.show(cell_id, { ...nothingShown, execution_count: execution.execution_count, execution });
      }
      // One that runs waits no longer; the queue itself says so only to who opens the notebook later.
      if (this.queue.some(({ id, state }) => id === execution.id && state === 'waiting')) {
        this.takeQueue(this.queue.map((entry) => (entry.id === execution.id ? { ...entry, state: 'running' } : entry)));
      }
    },
    queue_changed: ({ changed, removed_ids }: Event<'queue_changed'>) => {
      for (const id of removed_ids) this.left.add(id);
      this.addToQueue(changed);
    },
    kernel_changed: ({ kernel }: Event<'kernel_changed'>) => this.takeKernel(kernel),
    locks_changed: ({ locks }: Event<'locks_changed'>) => this.takeLocks(locks),
    settings_changed: ({ settings }: Event<'settings_changed'>) => {
      this.settings = settings;
      this.emit('settings');
    },
    saved: ({ version, version_id, name }: Event<'saved'>) => {
      this.versionId = version_id;
      this.save({ version, versionName: name });
    },
    comm: (message: Event<'comm'>) => this.options.onComm?.(message),
  };

  private takeChange(change: ToldChange): void {
    if (isIncomplete((id) => this.base.cells.find((cell) => cell.id === id), change)) this.options.reload();
    const fresh = change.cells.filter(({ id, revision }) => revision > (this.gone.get(id) ?? 0));
    for (const { id } of fresh) this.gone.delete(id);
    this.base = this.after(this.base, { ...change, cells: fresh });
    for (const id of change.deleted_ids) {
      const revision = this.base.bin.find((cell) => cell.id === id)?.revision;
      if (revision !== undefined) this.gone.set(id, revision);
    }
    this.derive();
    this.takeShown(change);
  }

  private takeShown({ cleared_ids, shown }: Pick<ToldChange, 'cleared_ids' | 'shown'>): void {
    for (const id of cleared_ids) this.show(id, nothingShown);
    for (const [id, each] of Object.entries(shown)) this.show(id, each);
  }

  private after(parts: Parts, change: ToldChange): Parts {
    const deleted = parts.cells.filter(({ id }) => change.deleted_ids.includes(id));
    const back = new Set(change.cells.map(({ id }) => id));
    const bin =
      deleted.length || parts.bin.some(({ id }) => back.has(id))
        ? [...parts.bin.filter(({ id }) => !back.has(id)), ...deleted]
        : parts.bin;
    return { cells: applyChange(parts.cells, change, (cell) => cell), bin, head: change.head ?? parts.head };
  }

  /** The document as it is on the screen: what the server said, and on top of it what it has not answered yet. */
  private derive(): void {
    let parts = this.base;
    for (const { operations } of this.pending) {
      const done = operateAll(parts, operations);
      if (!done.stale) parts = this.after(parts, done.change);
    }
    this.adopt(parts);
  }

  private adopt(parts: Parts): void {
    const [before, beforeIds, beforeHead] = [this.byId, this.ids, this.local.head];
    this.local = parts;
    this.byId = new Map(parts.cells.map((cell) => [cell.id, cell]));
    const ids = parts.cells.map(({ id }) => id);
    const isReordered = ids.length !== beforeIds.length || ids.some((id, index) => id !== beforeIds[index]);
    if (isReordered) this.ids = ids;
    for (const [id, cell] of this.byId) {
      const was = before.get(id);
      if (was === cell) continue;
      this.emit(`cell:${id}`);
      if (!was || !isSameBesideText(was, cell)) this.emit(`frame:${id}`);
    }
    if (isReordered) this.emit('order');
    if (beforeHead !== parts.head) this.emit('head');
    this.emit('document');
  }

  private show(id: string, shown: CellShown): void {
    this.shown.set(id, shown);
    this.soon.add(`shown:${id}`);
    if (this.isFrameAsked) return;
    this.isFrameAsked = true;
    this.options.schedule(this.emitSoon);
  }

  /** What is over in a moment is drawn once, with its result, and not also while it waits. */
  private emitCalmly(keys: string[]): void {
    for (const key of keys) this.soon.add(key);
    if (!this.isFrameAsked) this.calm ??= setTimeout(this.emitSoon, calmMs);
  }

  private emitSoon = (): void => {
    clearTimeout(this.calm);
    this.calm = undefined;
    this.isFrameAsked = false;
    const keys = [...this.soon];
    this.soon.clear();
    for (const key of keys) this.emit(key);
  };

  private takeQueue(all: QueuedCell[]): void {
    const before = this.queued;
    const running = new Set(this.queue.flatMap(({ id, state }) => (state === 'running' ? id : [])));
    // An answer may have been read before what was told in the meantime.
    const queue = all
      .filter(({ id }) => !this.left.has(id))
      .map((entry) => (running.has(entry.id) ? { ...entry, state: 'running' as const } : entry))
      .sort((one, other) => one.place - other.place);
    this.queue = queue;
    this.queued = new Map(queue.map((entry, place) => [entry.cell_id, { entry, place }]));
    this.emitCalmly(['queue', ...[...before.keys(), ...this.queued.keys()].map((id) => `queue:${id}`)]);
  }

  /** Beside what waits and runs already. */
  private addToQueue(entries: QueuedCell[]): void {
    const known = new Map([...this.queue, ...entries].map((entry) => [entry.id, entry]));
    this.takeQueue([...known.values()]);
  }

  private takeKernel(kernel: NotebookKernel): void {
    this.kernel = kernel;
    this.emit('kernel');
  }

  private takeLocks(locks: CellLock[]): void {
    const before = this.locks;
    this.locks = new Map(locks.map((lock) => [lock.cell_id, lock]));
    for (const id of new Set([...before.keys(), ...this.locks.keys()])) {
      if (this.getLock(id)) this.wanted.delete(id);
      this.emit(`lock:${id}`);
    }
  }

  private save(change: Partial<Saving>): void {
    const isDone = this.pending.length === 0 && this.drafts.size === 0;
    this.saving = { ...this.saving, ...change, isDone };
    this.options.onUnsent?.();
    clearTimeout(this.settling);
    const tell = () => {
      const now = JSON.stringify(this.saving);
      if (now === this.toldSaving) return;
      this.toldSaving = now;
      this.emit('saving');
    };
    // Who goes on typing does not want to be told ten times a second that all is well.
    if (isDone && !change.version) this.settling = setTimeout(tell, settleMs);
    else tell();
  }

  // What is done here

  /** Shows at once and goes to the server. Answers whether it could be done. */
  edit(operations: Operation[], isUndoable = true): boolean {
    this.flush();
    const inverse = this.push(operations);
    if (!inverse) return false;
    if (isUndoable && inverse.length) {
      this.undone = [...this.undone.slice(-maxUndo), inverse];
      this.redone = [];
    }
    return true;
  }

  undo(): boolean {
    return this.goBack('undone', 'redone');
  }

  redo(): boolean {
    return this.goBack('redone', 'undone');
  }

  private goBack(from: 'undone' | 'redone', to: 'undone' | 'redone'): boolean {
    this.flush();
    const operations = this[from].at(-1);
    if (!operations) return false;
    this[from] = this[from].slice(0, -1);
    const inverse = this.push(operations);
    if (!inverse) {
      this.options.notify('This cannot be undone any more: the cell has changed since.');
      return false;
    }
    this[to] = [...this[to], inverse];
    return true;
  }

  private push(operations: Operation[], typedIn: string | null = null, over?: string): Operation[] | null {
    const done = operateAll(this.local, operations);
    if (done.stale) return null;
    const last = this.pending.at(-1);
    if (typedIn !== null && last?.typedIn === typedIn && !last.isSent) last.operations = operations;
    else {
      const under = this.textsUnder(operations);
      if (typedIn !== null && over !== undefined) under.set(typedIn, over);
      this.pending.push({ operations, isSent: false, over: under, typedIn });
    }
    this.adopt(this.after(this.local, done.change));
    this.takeShown(done.change);
    this.save({});
    this.pump();
    return done.inverse;
  }

  /** What is being typed into a cell. */
  type(id: string, text: string): void {
    const known = this.byId.get(id)?.source;
    if (!this.drafts.has(id)) this.draftsOver.set(id, known ?? '');
    if (known === text) this.drafts.delete(id);
    else this.drafts.set(id, text);
    this.typing ??= setTimeout(() => this.flush(), typeEveryMs);
    if (this.saving.isDone) this.save({});
    this.lock(id);
  }

  /** Everything typed goes out now: something comes that needs it there. */
  flush(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    for (const [id, source] of [...this.drafts]) {
      this.drafts.delete(id);
      const over = this.draftsOver.get(id) ?? '';
      this.draftsOver.delete(id);
      const written: Operation = { op: 'update_cell_source', cell_id: id, source };
      if (this.push([written], id, over) === null) this.keepBoth(id, over, source);
    }
    this.save({});
  }

  private pump(): void {
    if (!this.topic) return;
    for (const item of this.pending) if (!item.isSent) void this.sendEdit(this.topic, item);
  }

  private textsUnder(operations: Operation[]): Map<string, string> {
    const under = new Map<string, string>();
    const named = new Set<string>();
    for (const operation of operations) {
      if (!('cell_id' in operation)) continue;
      const cell = operation.op === 'update_cell_source' ? this.byId.get(operation.cell_id) : undefined;
      // What another one of them makes of the cell is not known by anybody yet.
      if (cell && !named.has(cell.id)) under.set(cell.id, cell.source);
      else under.delete(operation.cell_id);
      named.add(operation.cell_id);
    }
    return under;
  }

  private async sendEdit(topic: NotebookTopic, item: Pending): Promise<void> {
    item.isSent = true;
    const operations = item.operations.map((each) => {
      const over = each.op === 'update_cell_source' ? item.over.get(each.cell_id) : undefined;
      return over === undefined ? each : { ...each, base_checksum: textChecksum(over) };
    });
    try {
      const change = await topic.send('edit', { operations }, { timeoutMs: null });
      this.pending = this.pending.filter((each) => each !== item);
      this.takeChange(change);
      this.save({ problem: null });
    } catch (error) {
      // What was typed after it in the same cell has been dealt with together with it.
      if (!this.pending.includes(item)) return;
      // It is sent again with the next connection.
      if (error instanceof RealtimeError && error.reason === null) {
        item.isSent = false;
        this.save({});
        return;
      }
      this.refused(item, error);
    }
  }

  private refused(item: Pending, error: unknown): void {
    const { reason, details } = error instanceof RealtimeError ? error : new RealtimeError('');
    const isElsewhere = reason === 'locked' || reason === 'stale';
    const { typedIn } = item;
    // The answer may be here before what was told to everybody.
    const cells = details.cell ? [details.cell as DocumentCell] : [];
    const deleted_ids = details.stale === 'gone' && typedIn !== null ? [typedIn] : [];
    const now: ToldChange = { cells, deleted_ids, head: null, cleared_ids: [], shown: {} };
    if (typedIn !== null && isElsewhere) {
      const typed = this.pending.filter((each) => each.typedIn === typedIn);
      const [last] = (typed.at(-1) ?? item).operations;
      const mine = this.drafts.get(typedIn) ?? (last?.op === 'update_cell_source' ? last.source : '');
      this.drafts.delete(typedIn);
      this.pending = this.pending.filter((each) => !typed.includes(each));
      this.takeChange(now);
      this.keepBoth(typedIn, item.over.get(typedIn) ?? '', mine, reason === 'locked' ? refusalWords(error) : null);
    } else if (reason === 'no_permissions') {
      this.keepAll(mayNotWrite);
      // Whether anything is left that I may do.
      this.options.reload();
    } else {
      this.pending = this.pending.filter((each) => each !== item);
      this.takeChange(now);
      for (const operation of item.operations) if ('cell_id' in operation) this.emit(`rollback:${operation.cell_id}`);
      // It was done in an earlier visit, or there is nothing left to do it to.
      const isOld = item.isFromBefore && isElsewhere && details.stale !== 'changed';
      if (!isOld) this.options.notify(refusalWords(error), true);
      if (!isElsewhere) this.keep(textsIn(item, this.typeOf), refusalWords(error));
      // A half of a cell that was split is not in the other one any more.
      const inserted = item.operations.filter(({ op }) => op === 'insert_cell');
      if (!isOld && isElsewhere && inserted.length < item.operations.length && inserted.length > 0) this.push(inserted);
    }
    this.save({});
  }

  /** Text that cannot go where it was typed is not thrown away, and goes over nobody else's. */
  private keepBoth(id: string, over: string, mine: string, refusal: string | null = null): void {
    const here = this.byId.get(id);
    if (here?.source === mine || (here && mine === over)) return;
    const merged = here && refusal === null ? mergedText(over, mine, here.source) : null;
    if (merged !== null) {
      this.push([{ op: 'update_cell_source', cell_id: id, source: merged }], id);
      this.options.notify('Somebody else changed this cell too. It has the changes of both of you.');
      return;
    }
    if (mine.trim() === '') return;
    const why = refusal ?? (here ? 'Somebody else changed this cell too.' : 'This cell was deleted while you wrote.');
    const cell = {
      id: newCellId(),
      type: here?.type === 'markdown' ? ('markdown' as const) : ('code' as const),
      source: mine,
      metadata: { atoll: { theme: 'warning' } },
      attachments: null,
    };
    const after_id = here ? here.id : (this.ids.at(-1) ?? null);
    if (this.push([{ op: 'insert_cell', cell, after_id }]) !== null)
      this.options.notify(`${why} Your text is in a new cell below.`, true);
  }

  // What is nowhere but here

  private typeOf = (id: string): CellType => this.byId.get(id)?.type ?? 'code';

  private keep(texts: Omit<KeptText, 'why'>[], why: string): void {
    for (const each of texts) {
      if (each.text.trim() === '' || this.base.cells.find(({ id }) => id === each.cellId)?.source === each.text)
        continue;
      // What was typed after it stands on it.
      const before = this.kept.find(({ cellId, text }) => cellId === each.cellId && text === each.over);
      const over = before?.over ?? each.over;
      this.kept = [...this.kept.filter((other) => other !== before), { ...each, over, why }];
    }
    this.emit('kept');
  }

  /** Nothing more goes out from here: whatever was written stays on the screen. */
  private keepAll(why: string): void {
    const items = this.getUnsent()?.items ?? [];
    if (this.mode === 'edit') {
      this.mode = 'view';
      this.emit('mode');
    }
    if (items.length === 0) return;
    clearTimeout(this.typing);
    this.typing = undefined;
    const drafted = [...this.drafts.keys()];
    this.drafts.clear();
    this.draftsOver.clear();
    this.pending = [];
    this.derive();
    for (const id of drafted) this.emit(`cell:${id}`);
    for (const { operations, over } of items) this.keep(textsIn({ operations, over: new Map(over) }, this.typeOf), why);
    this.save({});
  }

  /** Into the notebook all the same: over the text it was written over, else beside it. */
  putBack(kept: KeptText): void {
    this.forget(kept);
    const here = this.byId.get(kept.cellId);
    if (here && here.source === kept.over) {
      this.edit([{ op: 'update_cell_source', cell_id: here.id, source: kept.text }]);
    } else this.keepBoth(kept.cellId, kept.over, kept.text);
  }

  forget(kept: KeptText): void {
    this.kept = this.kept.filter((each) => each !== kept);
    this.emit('kept');
    this.options.onUnsent?.();
  }

  getUnsent(): Unsent | null {
    const drafts = [...this.drafts].map(([id, source]) => ({
      operations: [{ op: 'update_cell_source' as const, cell_id: id, source }],
      over: [[id, this.draftsOver.get(id) ?? '']] as [string, string][],
      typedIn: id,
    }));
    const items = this.pending.map(({ operations, over, typedIn }) => ({ operations, over: [...over], typedIn }));
    const all = [...items, ...drafts];
    return all.length || this.kept.length ? { items: all, kept: this.kept } : null;
  }

  /** From an earlier visit: goes out as what was done without a connection does. */
  restore({ items, kept }: Unsent): void {
    const before = items.map((item) => ({ ...item, over: new Map(item.over), isSent: false, isFromBefore: true }));
    this.pending = [...before, ...this.pending];
    this.kept = [...this.kept, ...kept];
    this.derive();
    this.emit('kept');
    this.save({});
    if (this.mode !== 'edit') this.keepAll(mayNotWrite);
    this.pump();
  }

  // Who writes where

  private lock(id: string): void {
    if (this.wanted.has(id)) return;
    this.wanted.add(id);
    this.topic?.send('start_editing_cell', { cell_id: id, tag: this.options.tag, takeover: false }).then(
      ({ locks }) => this.takeLocks(locks),
      (error: unknown) => {
        this.wanted.delete(id);
        if (error instanceof RealtimeError && error.reason === 'locked') this.options.notify(refusalWords(error), true);
      },
    );
  }

  async takeOver(id: string): Promise<void> {
    if (!this.topic) return;
    const { locks } = await this.topic.send('start_editing_cell', {
      cell_id: id,
      tag: this.options.tag,
      takeover: true,
    });
    this.wanted.add(id);
    this.takeLocks(locks);
  }

  release(id: string): void {
    this.flush();
    if (!this.wanted.delete(id)) return;
    this.topic?.send('stop_editing_cell', { cell_id: id }).then(
      ({ locks }) => this.takeLocks(locks),
      () => {},
    );
  }

  // Running

  async run(ids: string[]): Promise<void> {
    this.flush();
    const running = ids.filter((id) => {
      const cell = this.byId.get(id);
      return cell && cell.type !== 'markdown' && cell.type !== 'raw' && cell.source.trim() !== '';
    });
    const [first] = running;
    if (first === undefined) return;
    for (const id of running) this.ask(id, true);
    await this.order(
      (topic) =>
        running.length === 1
          ? topic.send('execute_cell', { cell_id: first })
          : topic.send('execute_cells', { cell_ids: running }),
      true,
    );
    for (const id of running) this.ask(id, false);
  }

  private ask(id: string, isAsked: boolean): void {
    if (isAsked) this.asked.add(id);
    else if (!this.asked.delete(id)) return;
    this.emitCalmly([`queue:${id}`]);
  }

  runAll = (restart = false) => {
    this.flush();
    return this.order((topic) => topic.send('execute_all_cells', { restart }), true);
  };
  interrupt = () => this.order((topic) => topic.send('interrupt', {}));

  /** Those beside it, and what waits, go on; where there are none beside it, what waits is not begun. */
  interruptOne = (id: string) =>
    this.countRunning() > 1 ? this.order((topic) => topic.send('interrupt', { id })) : this.interrupt();
  cancel = (ids: string[]) => this.order((topic) => topic.send('cancel_execution', { ids }));
  moveQueued = (id: string, after_id: string | null) =>
    this.order((topic) => topic.send('move_execution', { id, after_id }));
  answer = (id: string, value: string) => this.order((topic) => topic.send('reply_input', { id, value }));

  /** What is run is answered with what is new in the queue, all else with the whole of it. */
  private async order(
    send: (topic: NotebookTopic) => Promise<{ queue: QueuedCell[] }>,
    isAdded = false,
  ): Promise<void> {
    try {
      const { queue } = await send(await this.ready());
      if (isAdded) this.addToQueue(queue);
      else this.takeQueue(queue);
    } catch (error) {
      this.options.notify(refusalWords(error), true);
    }
  }

  async command<Answer>(send: (topic: NotebookTopic) => Promise<Answer>): Promise<Answer | null> {
    try {
      this.flush();
      return await send(await this.ready());
    } catch (error) {
      this.options.notify(refusalWords(error), true);
      return null;
    }
  }

  async changeKernel(send: (topic: NotebookTopic) => Promise<{ kernel: NotebookKernel }>): Promise<void> {
    const answer = await this.command(send);
    if (answer) this.takeKernel(answer.kernel);
  }

  async changeSettings(send: (topic: NotebookTopic) => Promise<{ settings: NotebookSettings }>): Promise<void> {
    const answer = await this.command(send);
    if (!answer) return;
    this.settings = answer.settings;
    this.emit('settings');
  }

  async setInput(id: string, value: Parameters<typeof inputCommand>[2]): Promise<void> {
    const answer = await this.command((topic) => inputCommand(topic, id, value));
    if (!answer) return this.emit(`rollback:${id}`);
    const { queue, ...change } = answer;
    this.takeChange(change);
    this.addToQueue(queue);
  }

  /** What is wanted right after opening waits for the connection, for as long as people wait for anything. */
  ready(): Promise<NotebookTopic> {
    if (this.topic) return Promise.resolve(this.topic);
    return new Promise((resolve, reject) => {
      const give = (topic: NotebookTopic) => {
        clearTimeout(timer);
        this.waiting.delete(give);
        resolve(topic);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(give);
        reject(new RealtimeError('There is no connection just now. Try again in a moment.'));
      }, readyMs);
      this.waiting.add(give);
    });
  }

  /** For what is asked in passing: whoever asks deals with the refusal. */
  must(): NotebookTopic {
    if (!this.topic) throw new RealtimeError('There is no connection just now. Try again in a moment.');
    return this.topic;
  }

  async clean(restart: boolean): Promise<void> {
    const change = await this.command((topic) => topic.send('clean', { restart }));
    if (change) this.takeChange(change);
  }

  async loadBin(): Promise<BinnedCell[]> {
    const { cells } = await this.must().send('list_bin', {});
    this.base = { ...this.base, bin: cells };
    this.derive();
    return cells;
  }

  /** More of what a cell shows than was sent at once. */
  async loadMore(id: string): Promise<void> {
    const before = this.getShown(id);
    const answer = await this.command((topic) =>
      topic.send('get_cell_output', { cell_id: id, from: before.outputs.length }),
    );
    const now = this.getShown(id);
    if (!answer || now.execution?.id !== before.execution?.id) return;
    const outputs = [...now.outputs.slice(0, answer.from), ...answer.outputs];
    this.show(id, { ...now, outputs, outputs_total: answer.outputs_total, outputs_bytes: answer.outputs_bytes });
  }

  private async reloadOutputs(id: string): Promise<void> {
    const answer = await this.topic?.send('get_cell_output', { cell_id: id, from: 0 }).catch(() => null);
    if (!answer) return;
    const { outputs, outputs_total, outputs_bytes } = answer;
    this.show(id, { ...this.getShown(id), outputs, outputs_total, outputs_bytes });
  }

  /** Copies of cells, with new names and what they show. */
  copyOf(id: string, newId = newCellId()): Extract<Operation, { op: 'insert_cell' }>['cell'] | null {
    const cell = this.byId.get(id);
    if (!cell) return null;
    const shown = this.getShown(id);
    const { type, metadata, attachments } = cell;
    return {
      id: newId,
      type,
      source: this.sourceOf(id),
      metadata,
      attachments,
      ...(shown.outputs.length && shown.outputs.length === shown.outputs_total
        ? { outputs: shown.outputs, execution_count: shown.execution_count }
        : {}),
    };
  }
}

/** Whether nothing but its text is different: most of what is drawn of a cell does not change with every letter. */
const isSameBesideText = (one: DocumentCell, other: DocumentCell): boolean =>
  one.type === other.type && isSame(one.metadata, other.metadata) && isSame(one.attachments, other.attachments);

/** What people have written, in operations. */
function textsIn(
  item: Pick<Pending, 'operations' | 'over'>,
  typeOf: (id: string) => CellType,
): Omit<KeptText, 'why'>[] {
  return item.operations.flatMap((each) => {
    if (each.op === 'insert_cell')
      return [{ cellId: each.cell.id, type: each.cell.type, over: '', text: each.cell.source }];
    if (each.op !== 'update_cell_source') return [];
    const { cell_id: cellId, source: text } = each;
    return [{ cellId, type: typeOf(cellId), over: item.over.get(cellId) ?? '', text }];
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const inputCommand = (topic: NotebookTopic, cell_id: string, value: string | number | boolean | string[] | null) =>
  topic.send('set_input', { cell_id, value });

const mayNotWrite = 'You may not change this notebook any more.';

const words: Record<string, string> = {
  stale: 'Somebody else changed this in the meantime, so it was not done.',
  locked: 'Somebody else is writing in this cell.',
  no_permissions: 'You may not do this here.',
};

export function refusalWords(error: unknown): string {
  if (!(error instanceof RealtimeError)) return error instanceof Error ? error.message : 'It was not done.';
  const { message, reason } = error;
  return error.said ?? (reason ? (words[reason] ?? `It was not done: ${reason}.`) : message);
}
