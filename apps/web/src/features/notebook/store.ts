import type { BinnedCell, NewCell, Notebook, NotebookKernel, NotebookMode, NotebookSettings } from '@atoll/contract';
import { newCellId, parted } from './model.ts';
import { refusalWords } from './refusal.ts';
import { About } from './store/about.ts';
import { Connection, type NotebookTopic } from './store/connection.ts';
import { NotebookDocument } from './store/document.ts';
import { Edits } from './store/edits.ts';
import { type Event, Hub } from './store/hub.ts';
import { type KeptText, KeptTexts } from './store/kept.ts';
import { Locks } from './store/locks.ts';
import { Outputs } from './store/outputs.ts';
import { Runs } from './store/runs.ts';
import { SavingState } from './store/saving.ts';
import { Undo } from './store/undo.ts';

const rightsWords: Record<NotebookMode, string> = {
  edit: 'You can edit this notebook now.',
  input: 'You can now run this notebook and set its inputs, but not edit it.',
  view: 'You can now only view this notebook.',
};

/** One open notebook: its parts, the events of the server and the commands of the page. */
export class NotebookStore extends Hub {
  private readonly about = new About(this);
  private readonly connection = new Connection();
  private readonly saving = new SavingState(this);
  private readonly outputs = new Outputs(this, this.connection);
  private readonly document = new NotebookDocument(this, this.outputs);
  private readonly kept = new KeptTexts(this, this.document);
  private readonly locks = new Locks(this, this.connection);
  private readonly edits = new Edits(this, {
    about: this.about,
    connection: this.connection,
    document: this.document,
    kept: this.kept,
    locks: this.locks,
    saving: this.saving,
  });
  private readonly history = new Undo(this, this.edits);
  private readonly runs = new Runs(this, {
    connection: this.connection,
    document: this.document,
    outputs: this.outputs,
    flush: this.edits.flush,
  });

  // State

  getOrder = this.document.getOrder;
  getCell = this.document.getCell;
  getHead = this.document.getHead;
  getItems = this.document.getItems;
  indexOf = this.document.indexOf;
  sourceOf = this.edits.sourceOf;
  getShown = this.outputs.get;
  getQueue = this.runs.getQueue;
  getQueued = this.runs.getQueued;
  isAsked = this.runs.isAsked;
  countRunning = this.runs.countRunning;
  isOfAll = this.runs.isOfAll;
  countWaiting = this.runs.countWaiting;
  getLock = this.locks.get;
  getSaving = this.saving.get;
  getKept = this.kept.get;
  getUnsent = this.edits.getUnsent;
  canUndo = this.history.canUndo;
  getKernel = (): NotebookKernel => this.about.kernel;
  getSettings = (): NotebookSettings => this.about.settings;
  getMode = (): NotebookMode => this.about.mode;
  getProblems = (): string[] => this.about.problems;
  get kernel(): NotebookKernel {
    return this.about.kernel;
  }
  get mode(): NotebookMode {
    return this.about.mode;
  }
  get language(): string {
    return this.about.language;
  }

  // Events of the server

  load(notebook: Notebook): void {
    const parts = notebook.cells.map(parted);
    this.outputs.load(parts.map(([{ id }, shown]) => [id, shown]));
    this.runs.take(notebook.queue);
    this.locks.take(notebook.locks);
    this.document.load(
      parts.map(([cell]) => cell),
      notebook.head,
      notebook.items,
    );
    for (const id of this.getOrder()) this.emit(`shown:${id}`);
    this.about.load(notebook);
    this.edits.save({ version: notebook.version });
  }

  connected(topic: NotebookTopic, mode?: NotebookMode): void {
    const wasConnected = this.connection.topic !== null;
    this.connection.open(topic);
    if (mode && mode !== this.mode) {
      this.about.takeMode(mode);
      if (wasConnected) this.options.notify(rightsWords[mode]);
    }
    this.edits.save({ isConnected: true });
    this.locks.wantAgain((id) => this.mode === 'edit' && this.getCell(id) !== undefined);
    this.edits.resume();
  }

  disconnected(): void {
    this.connection.topic = null;
    this.edits.save({ isConnected: false });
  }

  /** The server no longer lets us in. */
  lost(why: string): void {
    this.disconnected();
    this.edits.keepAll(why);
  }

  readonly on = {
    document_changed: (change: Event<'document_changed'>) => this.document.take(change),
    document_replaced: () => this.options.reload(),
    execution_changed: this.outputs.takeExecution,
    cell_executed: this.runs.begin,
    queue_changed: this.runs.takeChange,
    kernel_changed: ({ kernel }: Event<'kernel_changed'>) => this.about.takeKernel(kernel),
    locks_changed: ({ locks }: Event<'locks_changed'>) => this.locks.take(locks),
    settings_changed: ({ settings }: Event<'settings_changed'>) => this.about.takeSettings(settings),
    saved: ({ version, name }: Event<'saved'>) => this.edits.save({ version, versionName: name }),
    comm: (message: Event<'comm'>) => this.options.onComm?.(message),
  };

  // Actions of this window

  edit = this.history.edit;
  undo = this.history.undo;
  redo = this.history.redo;
  type = this.edits.type;
  flush = this.edits.flush;
  restore = this.edits.restore;
  forget = this.kept.forget;
  run = this.runs.run;
  runAll = this.runs.runAll;
  interrupt = this.runs.interrupt;
  interruptOne = this.runs.interruptOne;
  cancel = this.runs.cancel;
  moveQueued = this.runs.moveQueued;
  answer = this.runs.answer;
  ready = this.connection.ready;
  must = this.connection.must;

  release(id: string): void {
    this.flush();
    this.locks.release(id);
  }

  /** Puts a kept text back into the notebook: over the text it was written over, else into a new cell beside it. */
  putBack(kept: KeptText): void {
    this.forget(kept);
    const here = this.getCell(kept.cellId);
    if (here && here.source === kept.over) {
      this.edit([{ op: 'update_cell_source', cell_id: here.id, source: kept.text }]);
    } else this.edits.keepBoth(kept.cellId, kept.over, kept.text);
  }

  async command<Answer>(send: (topic: NotebookTopic) => Promise<Answer>): Promise<Answer | null> {
    try {
      this.flush();
      return await send(await this.connection.ready());
    } catch (error) {
      this.options.notify(refusalWords(error), true, error);
      return null;
    }
  }

  async changeKernel(send: (topic: NotebookTopic) => Promise<{ kernel: NotebookKernel }>): Promise<void> {
    const answer = await this.command(send);
    if (answer) this.about.takeKernel(answer.kernel);
  }

  async changeSettings(send: (topic: NotebookTopic) => Promise<{ settings: NotebookSettings }>): Promise<void> {
    const answer = await this.command(send);
    if (answer) this.about.takeSettings(answer.settings);
  }

  async setInput(cell_id: string, value: string | number | boolean | string[] | null): Promise<void> {
    const answer = await this.command((topic) => topic.send('set_input', { cell_id, value }));
    if (!answer) return this.emit(`rollback:${cell_id}`);
    const { queue, ...change } = answer;
    this.document.take(change);
    this.runs.add(queue);
  }

  async clean(restart: boolean): Promise<void> {
    const change = await this.command((topic) => topic.send('clean', { restart }));
    if (change) this.document.take(change);
  }

  async loadBin(): Promise<BinnedCell[]> {
    const { cells } = await this.must().send('list_bin', {});
    this.document.loadBin(cells);
    return cells;
  }

  /** Loads more of the outputs of a cell than were sent at once. */
  async loadMore(id: string): Promise<void> {
    const before = this.getShown(id);
    const answer = await this.command((topic) =>
      topic.send('get_cell_output', { cell_id: id, from: before.outputs.length }),
    );
    const now = this.getShown(id);
    if (!answer || now.execution?.id !== before.execution?.id) return;
    const outputs = [...now.outputs.slice(0, answer.from), ...answer.outputs];
    const { outputs_total, outputs_bytes } = answer;
    this.outputs.show(id, { ...now, outputs, outputs_total, outputs_bytes });
  }

  /** Copies a cell with its outputs, under a new id. */
  copyOf(id: string, newId = newCellId()): NewCell | null {
    const cell = this.getCell(id);
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
