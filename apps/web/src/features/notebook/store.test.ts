import type { CellShown, QueuedCell } from '@atoll/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newCell } from './model.ts';
import { cell, load, notices, opened, openStore, order, server, settle, store } from './test-store.ts';

openStore();

describe('an edit', () => {
  it('shows at once and stays when the server has it', async () => {
    server.hold();
    store.edit([{ op: 'insert_cell', cell: newCell('code', { id: 'x' }), after_id: 'a' }]);
    expect(order()).toBe('axbc');
    expect(store.getSaving().isDone).toBe(false);
    server.release();
    await settle();
    expect(order()).toBe('axbc');
    expect(store.getSaving().isDone).toBe(true);
    expect(server.cells.map(({ id }) => id).join('')).toBe('axbc');
  });

  it('rolls back with a message when it is refused', async () => {
    server.refuse = 'stale';
    store.edit([{ op: 'move_cell', cell_id: 'c', after_id: null }]);
    expect(order()).toBe('cab');
    await settle();
    expect([order(), notices.length]).toEqual(['abc', 1]);
  });

  it('is carried out on top of edits of others in the meantime', async () => {
    server.hold();
    store.edit([{ op: 'move_cell', cell_id: 'a', after_id: 'c' }]);
    server.others([{ op: 'insert_cell', cell: newCell('code', { id: 'z' }), after_id: null }]);
    server.others([{ op: 'update_cell_source', cell_id: 'b', source: 'theirs' }]);
    expect([order(), store.sourceOf('b')]).toEqual(['zbca', 'theirs']);
    server.release();
    await settle();
    expect(order()).toBe('zbca');
  });

  it('waits for the connection', async () => {
    store.disconnected();
    store.edit([{ op: 'delete_cell', cell_id: 'b' }]);
    await settle();
    expect([order(), server.sent.length]).toEqual(['ac', 0]);
    store.connected(server.topic);
    await settle();
    expect(server.cells.map(({ id }) => id).join('')).toBe('ac');
  });

  it('is undone and redone', async () => {
    store.edit([{ op: 'delete_cell', cell_id: 'b' }]);
    await settle();
    expect(store.undo()).toBe(true);
    expect(order()).toBe('abc');
    await settle();
    expect(server.cells.map(({ id }) => id).join('')).toBe('abc');
    store.redo();
    await settle();
    expect([order(), store.redo()]).toEqual(['ac', false]);
  });

  it('notifies only the cell that it changes', () => {
    const heard: string[] = [];
    for (const key of ['cell:a', 'cell:b', 'order']) store.subscribe(key, () => heard.push(key));
    store.edit([{ op: 'update_cell_source', cell_id: 'b', source: 'x' }]);
    expect(new Set(heard)).toEqual(new Set(['cell:b']));
  });
});

describe('typing', () => {
  it('is sent at intervals, with the newest text, and locks the cell once', async () => {
    for (const text of ['o', 'on', 'one more']) store.type('a', text);
    expect(store.sourceOf('a')).toBe('one more');
    await settle();
    expect(server.sent.map(([command]) => command)).toEqual(['start_editing_cell', 'edit']);
    expect(server.cells[0]?.source).toBe('one more');
    store.release('a');
    expect(server.sent.at(-1)?.[0]).toBe('stop_editing_cell');
  });

  it('is stored before the cell runs', async () => {
    store.type('a', 'newest');
    await store.run(['a']);
    expect(server.sent.map(([command]) => command)).toEqual(['start_editing_cell', 'edit', 'execute_cell']);
  });

  it('is not overwritten by an older answer', async () => {
    server.hold();
    store.type('a', 'first');
    vi.advanceTimersByTime(300);
    store.type('a', 'second');
    server.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.sourceOf('a')).toBe('second');
    await settle();
    expect(server.cells[0]?.source).toBe('second');
  });
});

describe('what was typed without a connection', () => {
  const texts = () => server.cells.map(({ source }) => source);
  const type = (...words: string[]) => {
    for (const text of words) {
      store.type('a', text);
      vi.advanceTimersByTime(300);
    }
  };
  beforeEach(() => {
    server.cells = [cell('a', 'a0', 'one\n\nend'), ...server.cells.slice(1)];
    server.others([{ op: 'update_cell_metadata', cell_id: 'a', metadata: {} }]);
    store.disconnected();
  });
  const back = async () => {
    store.connected(server.topic);
    await settle();
  };

  it('is sent as one edit when the connection is back', async () => {
    type('one\n\nend 1', 'one\n\nend 12');
    await back();
    expect(texts()[0]).toBe('one\n\nend 12');
    expect(server.sent.filter(([command]) => command === 'edit')).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  it('is merged with edits of another person in other lines', async () => {
    type('one\n\nend of mine');
    server.apply([{ op: 'update_cell_source', cell_id: 'a', source: 'theirs\none\n\nend' }]);
    await back();
    expect(texts()).toEqual(['theirs\none\n\nend of mine', 'two', 'three']);
    expect(store.sourceOf('a')).toBe(texts()[0]);
    expect(store.getSaving().isDone).toBe(true);
  });

  it('goes into one new cell where both wrote in the same place, however often it was typed', async () => {
    type('one\n\nmine', 'one\n\nmine!');
    store.type('a', 'one\n\nmine!!');
    server.apply([{ op: 'update_cell_source', cell_id: 'a', source: 'one\n\ntheirs' }]);
    await back();
    expect(texts()).toEqual(['one\n\ntheirs', 'one\n\nmine!!', 'two', 'three']);
    expect(store.getOrder().map(store.sourceOf)).toEqual(texts());
    expect([notices.length, store.getSaving().isDone]).toEqual([1, true]);
  });

  it('is kept when the cell is gone, and when it was split', async () => {
    type('one\n\nmine');
    store.edit([
      { op: 'update_cell_source', cell_id: 'b', source: 't' },
      { op: 'insert_cell', cell: newCell('code', { id: 'x', source: 'wo' }), after_id: 'b' },
    ]);
    server.apply([{ op: 'delete_cell', cell_id: 'a' }]);
    server.apply([{ op: 'update_cell_source', cell_id: 'b', source: 'TWO' }]);
    await back();
    expect(texts()).toEqual(['TWO', 'wo', 'three', 'one\n\nmine']);
    expect(store.getOrder().map(store.sourceOf)).toEqual(texts());
  });

  it('is kept beside other changes of the cell', async () => {
    type('one\n\nmine');
    server.apply([{ op: 'update_cell_metadata', cell_id: 'a', metadata: { x: 1 } }]);
    await back();
    expect([texts()[0], notices]).toEqual(['one\n\nmine', []]);
  });

  it('does not overwrite an edit of another person between two letters', async () => {
    store.type('a', 'one\n\nmine');
    server.others([{ op: 'update_cell_source', cell_id: 'a', source: 'one\n\ntheirs' }]);
    vi.advanceTimersByTime(300);
    await back();
    expect(texts().slice(0, 2)).toEqual(['one\n\ntheirs', 'one\n\nmine']);
  });
});

it('keeps pictures that an update omits, or loads the notebook again where they are unknown', () => {
  const attachments = { 'a.png': { 'image/png': 'AAAA' } };
  server.others([{ op: 'update_cell_attachments', cell_id: 'a', attachments }]);
  const { revision = 0 } = server.cells[0] ?? {};
  const { attachments: _, ...told } = { ...cell('a', 'a0', 'more'), revision: revision + 1 };
  const change = { deleted_ids: [], head: null, cleared_ids: [], items: [], shown: {}, user: null };
  store.on.document_changed({ ...change, cells: [{ ...told, attachments_of: revision }] });
  expect(store.getCell('a')).toMatchObject({ source: 'more', attachments });
  expect(notices).toEqual([]);
  store.on.document_changed({
    ...change,
    cells: [{ ...told, revision: revision + 9, attachments_of: revision + 8 }],
  });
  expect(notices).toEqual(['reload']);
});

describe('what a cell shows', () => {
  const execution = {
    id: 'e1',
    cell: 'a',
    state: 'running' as const,
    execution_count: 1,
    reason: null,
    started_at: '2026-11-15T10:00:00.000Z',
    ended_at: null,
    milliseconds: null,
  };
  const shown = (): CellShown => store.getShown('a');
  const set = { type: 'set' as const, index: 0, display_id: null };

  it('follows its run', () => {
    const { cell: _, ...run } = execution;
    store.on.cell_executed({ cell_id: 'a', execution: { ...run, user: null } });
    store.on.execution_changed({
      execution,
      changes: [
        { ...set, output: { output_type: 'stream', name: 'stdout', text: 'a' } },
        { type: 'append', index: 0, at: 1, text: 'b' },
      ],
    });
    expect(shown().outputs).toEqual([{ output_type: 'stream', name: 'stdout', text: 'ab' }]);
    store.on.execution_changed({ execution: { ...execution, state: 'ok' }, changes: [] });
    expect(shown().execution?.state).toBe('ok');
    store.on.cell_executed({ cell_id: 'a', execution: { ...run, id: 'e2', user: null } });
    expect(shown().outputs).toEqual([]);
  });

  it('has its own state for each of several parallel runs', () => {
    const { cell: _, ...run } = execution;
    const queued = { batch_id: 'b', state: 'waiting' as const, user: null, queued_at: run.started_at, question: null };
    const changed = ['a', 'b'].map((cell_id, place) => ({ ...queued, id: `e${place + 1}`, cell_id, place }));
    store.on.queue_changed({ changed, removed_ids: [] });
    store.on.cell_executed({ cell_id: 'a', execution: { ...run, user: null } });
    expect(store.countRunning()).toBe(1);
    store.on.cell_executed({ cell_id: 'b', execution: { ...run, id: 'e2', user: null } });
    expect(store.countRunning()).toBe(2);
    expect(store.getQueue().map(({ state }) => state)).toEqual(['running', 'running']);
    store.on.queue_changed({ changed: [], removed_ids: ['e1'] });
    expect(store.getQueued('b')?.entry.state).toBe('running');
    expect(store.getQueued('a')).toBeNull();
  });

  it('counts outputs that are not loaded', () => {
    store.on.execution_changed({ execution, changes: [{ type: 'more', outputs_total: 40, outputs_bytes: 1e6 }] });
    expect(shown()).toMatchObject({ outputs: [], outputs_total: 40, outputs_bytes: 1e6 });
    store.on.execution_changed({
      execution,
      changes: [{ ...set, index: 30, output: { output_type: 'stream', name: 'stdout', text: '' } }],
    });
    expect(shown()).toMatchObject({ outputs: [], outputs_total: 40 });
  });
});

it('ignores an older update of a deleted cell', () => {
  server.others([{ op: 'delete_cell', cell_id: 'b' }]);
  store.on.document_changed({
    cells: [cell('b', 'a1')],
    deleted_ids: [],
    head: null,
    cleared_ids: [],
    items: [],
    shown: {},
    user: null,
  });
  expect(order()).toBe('ac');
  store.on.document_changed({
    cells: [{ ...cell('b', 'a1'), revision: 2 }],
    deleted_ids: [],
    head: null,
    cleared_ids: [],
    items: [],
    shown: {},
    user: null,
  });
  expect(order()).toBe('abc');
});

async function withoutB(): Promise<string> {
  store.edit([{ op: 'delete_cell', cell_id: 'b' }]);
  await settle();
  return order();
}

it('keeps a cell that is restored before the answer to its deletion, until it is deleted again', async () => {
  const tell = server.listener;
  server.listener = (change) => {
    server.listener = tell;
    tell(change);
    server.others([{ op: 'restore_cell', cell_id: 'b' }]);
  };
  expect(await withoutB()).toBe('abc');
  expect(await withoutB()).toBe('ac');
});

it('keeps a cell that is restored without a connection, whatever the late answer to its deletion says', async () => {
  const tell = server.listener;
  server.listener = () => {
    server.listener = () => {};
    server.others([{ op: 'restore_cell', cell_id: 'b' }]);
    server.listener = tell;
    load();
  };
  expect(await withoutB()).toBe('abc');
  expect(await withoutB()).toBe('ac');
});

it('keeps begun cells and cells that an answer does not name in the queue', async () => {
  const entry = (id: string, cell_id: string, place: number): QueuedCell => ({
    id,
    cell_id,
    batch_id: 'x',
    state: 'waiting',
    place,
    user: null,
    queued_at: '2026-11-15T10:00:00.000Z',
    question: null,
  });
  const states = () => store.getQueue().map(({ id, state }) => `${id} ${state}`);
  store.on.queue_changed({ changed: [entry('1', 'a', 1)], removed_ids: [] });
  const execution = {
    id: '1',
    state: 'running' as const,
    execution_count: 1,
    reason: null,
    started_at: '2026-11-15T10:00:00.000Z',
    ended_at: null,
    milliseconds: null,
    user: null,
  };
  store.on.cell_executed({ cell_id: 'a', execution });
  expect(states()).toEqual(['1 running']);
  server.queue = [entry('2', 'b', 2)];
  await store.run(['b']);
  expect(states()).toEqual(['1 running', '2 waiting']);
  // An answer that was read before the events that came since.
  server.queue = [entry('1', 'a', 1), entry('2', 'b', 2)];
  await store.cancel(['3']);
  expect(states()).toEqual(['1 running', '2 waiting']);
  store.on.queue_changed({ changed: [], removed_ids: ['1'] });
  expect(states()).toEqual(['2 waiting']);
});

describe('what was written is never thrown away', () => {
  it('after the right to write was taken', async () => {
    store.type('a', 'one more');
    await settle();
    server.refuse = 'no_permissions';
    store.type('a', 'one more word');
    store.edit([{ op: 'insert_cell', cell: newCell('code', { id: 'x', source: 'new' }), after_id: 'c' }]);
    store.type('b', 'two, too');
    await settle();
    expect(store.getKept().map(({ cellId, text }) => [cellId, text])).toEqual([
      ['a', 'one more word'],
      ['x', 'new'],
      ['b', 'two, too'],
    ]);
    expect([store.getMode(), store.sourceOf('a'), order(), notices]).toEqual(['view', 'one more', 'abc', ['reload']]);
    expect(store.getSaving().isDone).toBe(true);
    // The right to write is given back.
    server.refuse = null;
    store.connected(server.topic, 'edit');
    for (const kept of store.getKept()) store.putBack(kept);
    await settle();
    expect(server.cells.map(({ source }) => source)).toEqual(['one more word', 'two, too', 'three', 'new']);
    expect(store.getUnsent()).toBeNull();
  });

  it('after the window was closed without a connection', async () => {
    store.disconnected();
    store.type('a', 'one more');
    store.flush();
    store.edit([{ op: 'insert_cell', cell: newCell('code', { id: 'x', source: 'new' }), after_id: 'c' }]);
    store.type('b', 'mine');
    const unsent = JSON.parse(JSON.stringify(store.getUnsent()));
    server.listener = () => {};
    server.others([{ op: 'update_cell_source', cell_id: 'b', source: 'theirs' }]);
    opened().restore(unsent);
    expect(store.sourceOf('a')).toBe('one more');
    await settle();
    const texts = server.cells.map(({ source }) => source);
    expect(texts).toEqual(['one more', 'theirs', 'mine', 'three', 'new']);
    // Only the answer had not come, so the edit must not be done twice.
    notices.length = 0;
    opened().restore({ ...unsent, items: unsent.items.slice(0, 2) });
    await settle();
    expect([server.cells.map(({ source }) => source), notices]).toEqual([texts, []]);
  });
});

it('shows the lock of another person', () => {
  const user = { id: 'zoe', user_name: 'zoe', first_name: '', last_name: '', avatar: null };
  store.on.locks_changed({ locks: [{ cell_id: 'a', user, tag: 'x', since: '2026-11-15T10:00:00.000Z' }] });
  expect(store.getLock('a')?.user.id).toBe('zoe');
});

describe('two who write in one cell', () => {
  const theirs = (source: string) => server.others([{ op: 'update_cell_source', cell_id: 'a', source }]);

  it('see each other before anything is sent, and both texts stay', async () => {
    store.type('a', 'one mine');
    theirs('their one');
    expect(store.sourceOf('a')).toBe('their one mine');
    store.type('a', 'their one mine!');
    await settle();
    expect([server.cells[0]?.source, store.sourceOf('a')]).toEqual(['their one mine!', 'their one mine!']);
    expect([notices, store.getSaving().isDone]).toEqual([[], true]);
  });

  it('see each other while an answer is on its way, each letter once', async () => {
    server.hold();
    store.type('a', 'one mine');
    vi.advanceTimersByTime(300);
    theirs('their one');
    expect(store.sourceOf('a')).toBe('their one mine');
    store.type('a', 'their one mine!');
    server.release();
    await settle();
    expect([server.cells[0]?.source, store.sourceOf('a')]).toEqual(['their one mine!', 'their one mine!']);
  });

  it('are merged when an edit with a lost answer is sent again', async () => {
    store.type('a', 'one mine');
    await settle();
    const { revision = 0 } = server.cells[0] ?? {};
    // The edit was sent to all windows, and its answer has not come.
    server.hold();
    store.type('a', 'one mine 2');
    vi.advanceTimersByTime(300);
    server.others([{ op: 'update_cell_source', cell_id: 'a', source: 'one mine 2', base: 'one mine' }]);
    server.others([{ op: 'update_cell_source', cell_id: 'a', source: '# one mine 2', base: 'one mine 2' }]);
    expect(store.sourceOf('a')).toBe('# one mine 2');
    expect(server.cells[0]?.revision).toBe(revision + 2);
  });
});
