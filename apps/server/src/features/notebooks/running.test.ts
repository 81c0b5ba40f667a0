import { describe, expect, test } from 'vitest';
import { kernelSessions } from '../kernels/table.ts';
import { notebookJobs } from './table.ts';
import { code, type Fields, fileOf, idle, open, refused, setUp } from './test/open-notebook.ts';

describe('running', () => {
  test('runs cells in order, with outputs and the person, and skips the rest after a failure', async () => {
    const { ada, send, read, topic } = await setUp(
      fileOf([code('a', 'print("hello")\nx = 20'), code('b', 'x += 22\nx'), code('c', '1/0'), code('d', '4')]),
    );
    const { queue } = await send<{ queue: object[] }>('execute_all_cells');
    expect(queue).toHaveLength(4);
    await topic.event('cell_executed', ({ cell_id }) => cell_id === 'c');
    await idle(topic, 4);
    const notebook = await read();
    expect(notebook.queue).toEqual([]);
    expect(notebook.kernel).toMatchObject({ state: 'idle', starter: { id: ada.id } });
    expect(notebook.cells.map(({ id, outputs, execution }) => [id, outputs, execution?.state ?? null])).toEqual([
      ['a', [{ output_type: 'stream', name: 'stdout', text: 'hello\n' }], 'ok'],
      ['b', [{ output_type: 'execute_result', data: { 'text/plain': '42' }, metadata: {}, execution_count: 2 }], 'ok'],
      ['c', [expect.objectContaining({ output_type: 'error', ename: 'ZeroDivisionError' })], 'error'],
      ['d', [], null],
    ]);
    expect(notebook.cells[0]?.execution?.user).toMatchObject({ id: ada.id });
    await send('save_version');
    expect(await read()).toMatchObject({
      cells: [{ outputs: [{ text: 'hello\n' }], execution: { state: 'ok' }, execution_count: 1 }, {}, {}, {}],
    });
  });

  test('runs all cells except those tagged skip-execution, which run on request', async () => {
    const skipped = { ...code('b', 'x = 2'), metadata: { tags: ['skip-execution'] } };
    const { send, topic, read } = await setUp(fileOf([code('a', 'x = 1'), skipped, code('c', 'x')]));
    const { queue } = await send<{ queue: { cell_id: string }[] }>('execute_all_cells');
    expect(queue.map(({ cell_id }) => cell_id)).toEqual(['a', 'c']);
    await idle(topic, 2);
    await send('execute_cell', { cell_id: 'b' });
    await topic.event('cell_executed', ({ cell_id }) => cell_id === 'b');
    expect((await read()).cells.map(({ execution }) => execution?.state)).toEqual(['ok', 'ok', 'ok']);
  });

  test('allows changes of the queue during a run, and empties it on interrupt', async () => {
    const { send, topic, read } = await setUp(
      fileOf([code('a', 'while True: pass'), code('b', '2'), code('c', '3'), code('d', '4')]),
    );
    await send('execute_all_cells');
    await topic.event('execution_changed');
    const { queue } = await read();
    const idOf = (cell: string) => queue.find(({ cell_id }) => cell_id === cell)?.id ?? '';
    await send('cancel_execution', { ids: [idOf('c')] });
    await send('move_execution', { id: idOf('d'), after_id: null });
    expect((await read()).queue.map(({ cell_id, state }) => [cell_id, state])).toEqual([
      ['a', 'running'],
      ['d', 'waiting'],
      ['b', 'waiting'],
    ]);
    await send('interrupt');
    await idle(topic, 4);
    const { cells } = await read();
    expect(cells.map(({ execution }) => execution?.state ?? null)).toEqual(['aborted', null, null, null]);
  });

  test('shows the prompt of input() in place and continues with the answer', async () => {
    const { send, topic, read } = await setUp(fileOf([code('a', 'name = input("Who? ")\nname')]));
    await send('execute_cell', { cell_id: 'a' });
    const asked = await topic.event('queue_changed', ({ changed }) => (changed as Fields[])[0]?.question != null);
    const [job] = asked.changed as { id: string; question: object }[];
    expect(job?.question).toEqual({ prompt: 'Who? ', is_password: false });
    await send('reply_input', { id: job?.id, value: 'Ada' });
    await idle(topic, 1);
    expect(JSON.stringify((await read()).cells[0]?.outputs)).toContain('Ada');
    expect(await refused(send('reply_input', { id: job?.id, value: 'Ada' }))).toMatchObject({ reason: 'stale' });
  });

  test('runs the dependent cells of an input that reruns them', async () => {
    const input = { kind: 'number', name: 'n', value: 1, reruns: true };
    const { app, send, topic } = await setUp(
      fileOf([
        { ...code('i', 'n = 1'), metadata: { atoll: { type: 'input', input } } },
        code('a', 'm = n + 1'),
        code('b', 'other = 5'),
        code('c', 'print(m)'),
      ]),
    );
    const answer = await send<{ queue: { cell_id: string }[] }>('set_input', { cell_id: 'i', value: 7 });
    expect(answer.queue.map(({ cell_id }) => cell_id)).toEqual(['i', 'a', 'c']);
    await topic.event('execution_changed');
    const jobs = await app.database.db.select().from(notebookJobs);
    expect(jobs.find(({ cellId }) => cellId === 'i')?.code ?? 'n = 7').toBe('n = 7');
  });

  test('runs again by itself after a file beside it has changed', async () => {
    const { app, ada, projectId, send, topic } = await setUp(fileOf([code('a', 'print("x")')]));
    await send('toggle_autorun_after_files_updated', { is_enabled: true });
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    await app.post(ada.token, `/v1/notebooks/${projectId}/files-contents`, { name: 'data.csv' });
    await idle(topic, 2);
    expect(topic.events.filter(({ event }) => event === 'cell_executed')).toHaveLength(2);
  });

  test('stops saving files written by code once a person without edit rights runs code', async () => {
    const { app, projectId, fileId, send, topic, grant } = await setUp(fileOf([code('a', '1')]));
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    const saves = async () => (await app.database.db.select().from(kernelSessions)).map(({ savesFiles }) => savesFiles);
    expect(await saves()).toEqual([true]);
    const runner = await open(app, (await grant(['view', 'view_source', 'execute'])).token, projectId, fileId);
    await runner.send('execute_cell', { cell_id: 'a' });
    await idle(topic, 2);
    expect(await saves()).toEqual([false]);
  });

  test('rejects parallel cells with a reason where no kernel supports them', async () => {
    const { send, read, topic } = await setUp(fileOf([code('a', '1')]));
    const enable = () => refused(send('toggle_parallel_execution_enabled', { is_enabled: true }));
    expect(await enable()).toMatchObject({ reason: 'no_kernel' });
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    expect(await enable()).toMatchObject({ reason: 'disabled_in_configuration' });
    expect((await read()).settings.is_parallel_execution_enabled).toBe(false);
  });

  test('answers other requests of the same window during a slow answer of the kernel', async () => {
    const { send, ask, topic } = await setUp(fileOf([code('a', '1')]));
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    const endless = ask('execute_code', { code: 'while True: pass' });
    expect(await send('update_cell_source', { cell_id: 'a', source: '2' })).toMatchObject({ cells: [{ source: '2' }] });
    // An interrupt before the code has begun does nothing.
    const interrupted = async () => {
      await send('interrupt');
      return Promise.race([endless, new Promise((resolve) => setTimeout(resolve, 500))]);
    };
    await expect.poll(interrupted).toMatchObject({ state: 'aborted' });
  });

  test('restarts with an empty kernel, and reports a stopped kernel', async () => {
    const { send, topic, read } = await setUp(fileOf([code('a', 'x = 1'), code('b', 'x')]));
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    await send('restart');
    await send('execute_cell', { cell_id: 'b' });
    await idle(topic, 2);
    expect((await read()).cells[1]?.outputs).toMatchObject([{ ename: 'NameError' }]);
    await send('stop_kernel');
    const ended = await topic.event('kernel_changed', ({ kernel }) => (kernel as Fields).state === 'ended');
    expect(ended).toMatchObject({ kernel: { end_message: 'The kernel was shut down.' } });
  });

  test('does not run a deleted cell, and clears outputs', async () => {
    const { send, topic, read } = await setUp(fileOf([code('a', 'print("x")')]));
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    await send('clear_cell_output', { cell_id: 'a' });
    expect((await read()).cells[0]).toMatchObject({ outputs: [], execution: null, execution_count: null });
    await send('delete_cell', { cell_id: 'a' });
    expect(await refused(send('execute_cell', { cell_id: 'a' }))).toMatchObject({ reason: 'not_found' });
  });
});
