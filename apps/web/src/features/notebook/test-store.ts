import type { BoardItem, DocumentCell, Notebook, Operation, QueuedCell } from '@atoll/contract';
import { applyChange, applyItems, operateAll } from '@atoll/notebook';
import { afterEach, beforeEach, vi } from 'vitest';
import { RealtimeError } from '../../platform/realtime/errors.ts';
import { nothingShown } from './model.ts';
import type { NotebookTopic } from './store/connection.ts';
import { NotebookStore } from './store.ts';

/** The server's side in memory: the same operations, answered on request of the test. */
class FakeServer {
  cells: DocumentCell[] = [];
  bin: DocumentCell[] = [];
  head = { metadata: {}, revision: 1 };
  sent: [string, unknown][] = [];
  items: ReadonlyMap<string, BoardItem> = new Map();
  refuse: string | null = null;
  queue: QueuedCell[] = [];
  private held: (() => void)[] | null = null;
  listener: (change: never) => void = () => {};

  hold() {
    this.held = [];
  }
  release() {
    const held = this.held ?? [];
    this.held = null;
    for (const go of held) go();
  }
  apply(operations: Operation[]) {
    const done = operateAll(this, operations);
    if (done.stale) {
      const cell = this.cells.find(({ id }) => id === done.cellId) ?? null;
      throw new RealtimeError('refused', { reason: 'stale', details: { stale: done.stale, cell } });
    }
    const { change } = done;
    this.bin = [...this.bin, ...this.cells.filter(({ id }) => change.deleted_ids.includes(id))];
    this.cells = applyChange(this.cells, change, (cell) => cell);
    this.items = applyItems(this.items, change.items);
    this.head = (change.head as typeof this.head) ?? this.head;
    return change;
  }
  /** Applies an edit of another person. */
  others(operations: Operation[]) {
    this.listener({ ...this.apply(operations), user: null } as never);
  }
  topic: NotebookTopic = {
    send: (async (command: string, input: { operations: Operation[] }) => {
      this.sent.push([command, input]);
      if (this.held) await new Promise<void>((resolve) => this.held?.push(resolve));
      if (this.refuse) throw new RealtimeError('refused', { reason: this.refuse });
      if (command === 'edit') {
        const change = this.apply(input.operations);
        this.listener({ ...change, user: null } as never);
        return change;
      }
      return command.includes('editing') ? { locks: [] } : { queue: this.queue };
    }) as never,
  };
}

export const cell = (id: string, rank: string, source = ''): DocumentCell => ({
  id,
  rank,
  type: 'code',
  source,
  metadata: {},
  attachments: null,
  revision: 1,
});

export let server: FakeServer;
export let store: NotebookStore;
export let notices: string[];

/** Opens the server's current notebook in a new window. */
export function opened(): NotebookStore {
  store = new NotebookStore({
    me: 'me',
    tag: 'here',
    notify: (message) => notices.push(message),
    reload: () => notices.push('reload'),
    schedule: (work) => work(),
  });
  load();
  server.listener = store.on.document_changed;
  store.connected(server.topic);
  return store;
}

/** The notebook as it is on the server now. */
export function load(): void {
  store.load({
    file_id: 'f',
    version: 1,
    version_id: 'v',
    position: 1,
    mode: 'edit',
    language: 'python',
    problems: [],
    is_saved: true,
    head: server.head,
    settings: { is_autorun_after_files_updated: false, is_parallel_execution_enabled: false },
    cells: server.cells.map((each) => ({ ...each, ...nothingShown })),
    items: [],
    locks: [],
    queue: [],
    kernel: store.kernel,
  } satisfies Notebook);
}

export const settle = () => vi.advanceTimersByTimeAsync(1_000);
export const order = () => store.getOrder().join('');

export function openStore(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    server = new FakeServer();
    server.cells = [cell('a', 'a0', 'one'), cell('b', 'a1', 'two'), cell('c', 'a2', 'three')];
    notices = [];
    store = opened();
  });
  afterEach(() => void vi.useRealTimers());
}
