import { type DocumentChange, type Notebook, topicName, topics } from '@atoll/contract';
import { eq, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, type JoinedTopic, JoinRefused, join } from '../../test/realtime-client.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { workbook } from '../files/test-workbook.ts';
import { kernelSessions } from '../kernels/table.ts';
import { projectGrants } from '../projects/table.ts';
import { notebookCells, notebookJobs, notebooks } from './table.ts';

const code = (id: string, source: string, outputs: object[] = []) => ({
  cell_type: 'code',
  execution_count: null,
  id,
  metadata: {},
  outputs,
  source,
});
const stdout = (text: string) => ({ name: 'stdout', output_type: 'stream', text });
const fileOf = (cells: object[], more: object = {}) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...more }, null, 1)}\n`;

type Fields = Record<string, unknown>;

/** Somebody in a notebook, with a connection of their own. */
async function open(app: TestApp, token: string, projectId: string, fileId: string, params: object = {}) {
  const topic = await join(await connect(app, token), topicName(topics.notebook, { projectId, fileId }), params);
  const send = <Answer = Fields>(event: string, input: Fields = {}) =>
    topic.push(event, { request_id: crypto.randomUUID(), ...input }) as Promise<Answer>;
  const ask = <Answer = Fields>(event: string, input: Fields = {}) => topic.push(event, input) as Promise<Answer>;
  const read = () => ask<unknown>('get_notebook') as Promise<Notebook>;
  return { topic, send, ask, read };
}

async function setUp(content: string, options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await createTestApp(options);
  const ada = await app.person();
  const upload = await app.upload(ada.token, content, 'main.ipynb');
  const { id: projectId, default_file_id } = await app.project(ada.token, { upload_id: upload });
  const fileId = default_file_id ?? '';
  const grant = async (permissions: (typeof projectGrants.$inferInsert)['permissions']) => {
    const person = await app.person();
    const createdAt = new Date(app.clock.time);
    await app.database.db.insert(projectGrants).values({ projectId, userId: person.id, permissions, createdAt });
    return person;
  };
  return { app, ada, projectId, fileId, grant, ...(await open(app, ada.token, projectId, fileId)) };
}

const refused = (work: Promise<unknown>) =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => (error instanceof JoinRefused ? error.response : Promise.reject(error)),
  );

const idle = async (topic: JoinedTopic, count: number) =>
  expect
    .poll(() => topic.events.flatMap(({ payload }) => (payload.removed_ids as string[] | undefined) ?? []).length)
    .toBeGreaterThanOrEqual(count);

describe('the document', () => {
  test('opens with what the file shows, and changes nothing until somebody edits', async () => {
    const outputs = [{ name: 'stdout', output_type: 'stream', text: ['one\n', 'two'] }];
    const { app, read } = await setUp(fileOf([code('a', 'x = 1', outputs)]));
    const notebook = await read();
    expect(notebook).toMatchObject({
      mode: 'edit',
      is_saved: true,
      problems: [],
      kernel: { state: 'none' },
      cells: [{ id: 'a', type: 'code', source: 'x = 1', outputs: [{ text: 'one\ntwo' }], outputs_total: 1 }],
    });
    expect(await app.database.db.select().from(notebookCells)).toEqual([]);
  });

  test('is edited cell by cell, told to everybody, and saved into the file with all it had', async () => {
    const content = fileOf([{ ...code('a', 'x = 1'), extra: { of: 'others' } }, code('b', 'y')], {
      metadata: { odd: 1.5 },
    });
    const { app, ada, projectId, fileId, send, grant } = await setUp(content);
    const bob = await grant(['view', 'view_source']);
    const other = await open(app, bob.token, projectId, fileId);
    await send('insert_cell', { cell: { id: 'c', source: 'z = 3' }, after_id: 'a' });
    await send('move_cell', { cell_id: 'b', after_id: null });
    await send('update_cell_source', { cell_id: 'a', source: 'x = 2\nx' });
    await send('set_cell_type', { cell_id: 'c', type: 'markdown' });
    await send('edit', {
      operations: [
        { op: 'insert_cell', cell: { id: 'd', source: '1' }, after_id: 'c' },
        { op: 'delete_cell', cell_id: 'd' },
      ],
    });
    const told = await other.topic.event('document_changed', ({ position }) => position === 4);
    expect(told).toMatchObject({ cells: [{ id: 'c', type: 'markdown' }], user: { id: ada.id } });
    const { cells } = await other.read();
    expect(cells.map(({ id, source, type }) => [id, source, type])).toEqual([
      ['b', 'y', 'code'],
      ['a', 'x = 2\nx', 'code'],
      ['c', 'z = 3', 'markdown'],
    ]);
    expect(await send('save_version', { name: 'First' })).toMatchObject({ version: 2 });
    const saved = await app.call<Fields>('GET', `/v1/notebooks/${projectId}/file_raw_contents/${fileId}`, {
      token: ada.token,
    });
    const body = saved.body as unknown;
    const file = (typeof body === 'string' ? JSON.parse(body) : body) as { cells: Fields[]; metadata: Fields };
    expect(file.metadata).toEqual({ odd: 1.5 });
    expect(file.cells).toEqual([
      expect.objectContaining({ id: 'b', source: 'y' }),
      expect.objectContaining({ id: 'a', source: ['x = 2\n', 'x'], extra: { of: 'others' } }),
      expect.objectContaining({ id: 'c', cell_type: 'markdown' }),
    ]);
  });

  test('what is saved by hand is a version that stays', async () => {
    const { app, ada, projectId, fileId, send } = await setUp(fileOf([code('a', 'x')]));
    for (const source of ['two', 'three']) {
      await send('update_cell_source', { cell_id: 'a', source });
      await send('save_version');
    }
    await send('save_version');
    const path = `/v1/notebooks/${projectId}/files/${fileId}/versions`;
    const { body } = await app.call<{ entries: { version: number }[] }>('GET', path, { token: ada.token });
    expect(body.entries.map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  test('with more in it than is sent at once opens with the beginning, and loses nothing', async () => {
    const long = 'high water 🌊\n'.repeat(300_000);
    const content = fileOf([code('a', 'x', [{ name: 'stdout', output_type: 'stream', text: long }]), code('b', 'y')]);
    const { app, ada, projectId, fileId, send, ask, read } = await setUp(content);
    const [first] = (await read()).cells;
    expect(JSON.stringify(first).length).toBeLessThan(70_000);
    expect(first?.outputs_bytes).toBe(long.length);
    let text = '';
    for (let from = 0; from < (first?.outputs_total ?? 0); ) {
      const { outputs } = await ask<{ outputs: { text: string }[] }>('get_cell_output', { cell_id: 'a', from });
      expect(JSON.stringify(outputs).length).toBeLessThan(1_200_000);
      text += outputs.map((each) => each.text).join('');
      from += outputs.length;
    }
    expect(text === long).toBe(true);
    expect(text.startsWith(first?.outputs.map((each) => 'text' in each && each.text).join('') ?? '-')).toBe(true);

    await send('update_cell_source', { cell_id: 'b', source: 'z' });
    await send('save_version', {});
    const saved = await app.call<string>('POST', `/v1/projects/${projectId}/files/${fileId}/export`, {
      token: ada.token,
      body: { type: 'ipynb' },
    });
    const body = saved.body as unknown;
    expect((typeof body === 'string' ? body : JSON.stringify(body, null, 1)).includes('"z"')).toBe(true);
    // A deleted cell keeps all it showed.
    await send('delete_cell', { cell_id: 'a' });
    await send('restore_cell', { cell_id: 'a', after_id: null });
    expect((await read()).cells[0]?.outputs_bytes).toBe(long.length);
  });

  test('is folded and coloured, by cell and as a whole', async () => {
    const { app, ada, projectId, send, ask, read } = await setUp(fileOf([code('a', '1'), code('b', '2')]));
    expect(await send('start_editing')).toMatchObject({ mode: 'edit' });
    await send('toggle_cell_collapsed', { cell_id: 'a' });
    await send('toggle_all_cells_collapsed', { part: 'outputs', is_collapsed: true });
    await send('select_theme', { theme: 'warning', cell_id: 'b' });
    await send('select_theme', { theme: 'night' });
    await send('update_metadata', { metadata: { title: 'Tides' } });
    expect(await read()).toMatchObject({
      head: { metadata: { title: 'Tides', atoll: { theme: 'night' } } },
      cells: [
        { metadata: { jupyter: { source_hidden: true, outputs_hidden: true } } },
        { metadata: { jupyter: { outputs_hidden: true }, atoll: { theme: 'warning' } } },
      ],
    });
    await send('toggle_all_cells_collapsed', { part: 'source', is_collapsed: false });
    await send('toggle_all_cells_collapsed', { part: 'outputs', is_collapsed: false });
    expect((await read()).cells.every(({ metadata }) => !JSON.stringify(metadata).includes('true'))).toBe(true);
    expect(await refused(send('toggle_cell_collapsed', { cell_id: 'gone' }))).toMatchObject({ reason: 'not_found' });
    expect(await ask('s3_files', { search: 'MAIN' })).toMatchObject({ files: [{ path: 'main.ipynb' }] });
    expect(await ask('s3_files', { search: '%' })).toEqual({ files: [] });
    const book = await app.upload(ada.token, await workbook({ Tides: [[1]], Ports: [[2]] }), 'book.xlsx');
    const body = { name: 'book.xlsx', upload_id: book };
    await app.call('POST', `/v1/notebooks/${projectId}/files-contents`, { token: ada.token, body });
    expect(await ask('excel_sheets', { path: 'book.xlsx' })).toEqual({ sheets: ['Tides', 'Ports'] });
  });

  test('has the kernel and the server that were chosen, where there are such', async () => {
    const { send, read, topic } = await setUp(fileOf([code('a', '1')]));
    expect(await refused(send('select_kernel', { kernel: 'no.such' }))).toMatchObject({ reason: expect.any(String) });
    expect(await refused(send('set_memory', { tier: 'l5' }))).toMatchObject({ reason: expect.any(String) });
    expect(await refused(send('toggle_gpu', { is_gpu: true }))).toMatchObject({ reason: 'disabled_in_configuration' });
    expect(await send('toggle_gpu', { is_gpu: false })).toMatchObject({ kernel: { is_gpu: false } });
    expect(await send('set_memory', { tier: 'l1' })).toMatchObject({ kernel: { tier: 'l1' } });
    expect(await send('select_kernel', { kernel: null })).toMatchObject({ kernel: { name: null } });
    await topic.event('kernel_changed');
    expect((await read()).kernel).toMatchObject({ name: null, tier: 'l1', is_gpu: false, state: 'none' });
  });

  test('saves by itself', async () => {
    const { app, ada, projectId, fileId, send, topic } = await setUp(fileOf([code('a', '1')]));
    await send('update_cell_source', { cell_id: 'a', source: '2' });
    app.clock.advance(2_000);
    await topic.event('saved');
    const file = await app.call<{ version: number }>('GET', `/v1/notebooks/${projectId}/files/${fileId}`, {
      token: ada.token,
    });
    expect(file.body.version).toBe(2);
  });

  test('says what no longer applies, and keeps a deleted cell in the bin', async () => {
    const { send, ask } = await setUp(fileOf([code('a', '1'), code('b', '2')]));
    await send('delete_cell', { cell_id: 'a' });
    expect(await refused(send('update_cell_source', { cell_id: 'a', source: 'x' }))).toMatchObject({
      reason: 'stale',
      details: { stale: 'gone' },
    });
    expect(await refused(send('insert_cell', { cell: { id: 'b' }, after_id: null }))).toMatchObject({
      details: { stale: 'exists' },
    });
    const stale = send('update_cell_source', { cell_id: 'b', source: 'x', base_revision: 7 });
    expect(await refused(stale)).toMatchObject({ details: { stale: 'changed', cell: { id: 'b', source: '2' } } });
    expect(await ask('list_bin')).toMatchObject({ cells: [{ id: 'a', source: '1' }] });
    expect(await send<DocumentChange>('restore_cell', { cell_id: 'a' })).toMatchObject({ cells: [{ id: 'a' }] });
    expect(await ask('list_bin')).toEqual({ cells: [] });
  });

  test('a deleted cell comes back with what it showed, also after the file was saved without it', async () => {
    const outputs = [{ name: 'stdout', output_type: 'stream', text: 'shown\n' }];
    const { send, read } = await setUp(fileOf([code('a', '1', outputs), code('b', '2')]));
    await send('delete_cell', { cell_id: 'a' });
    await send('save_version');
    await send('restore_cell', { cell_id: 'a' });
    expect((await read()).cells[0]).toMatchObject({ id: 'a', outputs: [{ text: 'shown\n' }] });
  });

  test('what the database or a file cannot hold is refused or mended, never an end of the connection', async () => {
    const { send, read } = await setUp(fileOf([code('a', 'x\u0000y')]));
    const deep = JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`);
    expect(await refused(send('update_cell_metadata', { cell_id: 'a', metadata: deep }))).toMatchObject({
      reason: 'unprocessable_entity',
    });
    await send('update_cell_metadata', { cell_id: 'a', metadata: { note: 'a\u0000b' } });
    const large = 'x'.repeat(300_000);
    await send('insert_cell', { cell: { id: 'b', source: large }, after_id: 'a' });
    expect((await read()).cells).toMatchObject([{ metadata: { note: 'a\ufffdb' } }, { source: large }]);
  });

  test('a letter more sends no picture, and none is lost by it', async () => {
    const attachments = { 'a.png': { 'image/png': 'A'.repeat(100_000) } };
    const cell = { cell_type: 'markdown', id: 'a', metadata: {}, source: '![](attachment:a.png)' };
    const { app, ada, projectId, fileId, send, read } = await setUp(fileOf([cell]));
    await send('edit', { operations: [{ op: 'update_cell_attachments', cell_id: 'a', attachments }] });
    const other = await open(app, ada.token, projectId, fileId);
    const { revision } = (await read()).cells[0] ?? {};
    const answer = await send('update_cell_source', { cell_id: 'a', source: 'more ![](attachment:a.png)' });
    const told = await other.topic.event('document_changed');
    for (const each of [answer, told]) {
      expect(JSON.stringify(each).length).toBeLessThan(1_000);
      expect(each).toMatchObject({ cells: [{ source: 'more ![](attachment:a.png)', attachments_of: revision }] });
    }
    await send('save_version', {});
    expect((await read()).cells).toMatchObject([{ source: 'more ![](attachment:a.png)', attachments }]);
  });

  test('all outputs can be cleared before anything else was changed', async () => {
    const outputs = [{ name: 'stdout', output_type: 'stream', text: 'shown\n' }];
    const { send, read } = await setUp(fileOf([code('a', '1', outputs), code('b', '2', outputs)]));
    expect(await send<DocumentChange>('clean')).toMatchObject({ cleared_ids: ['a', 'b'] });
    expect((await read()).cells).toMatchObject([{ outputs: [] }, { outputs: [] }]);
  });

  test('a file that is no notebook is not opened, and one that is half broken is', async () => {
    const { app, ada, projectId, fileId } = await setUp('<<<<<<< mine\n{}\n=======\n{}\n>>>>>>> theirs\n');
    const path = `/v1/projects/${projectId}/files/${fileId}/notebook`;
    expect(await app.call('GET', path, { token: ada.token })).toMatchObject({
      status: 422,
      body: { details: { reason: 'not_a_notebook', kind: 'conflict' } },
    });
    const half = await setUp(fileOf([code('a', '1'), { cell_type: 'hologram' }, [7]]));
    const notebook = await half.read();
    expect(notebook.cells.map(({ type }) => type)).toEqual(['code', 'raw', 'raw']);
    expect(notebook.problems).toHaveLength(2);
  });

  /** Somebody wrote in a cell, and before that was saved the file was replaced. */
  async function replaced() {
    const opened = await setUp(fileOf([code('a', '1')]));
    const { app, ada, projectId, fileId, send, topic } = opened;
    await send('update_cell_source', { cell_id: 'a', source: 'mine' });
    const upload_id = await app.upload(ada.token, fileOf([code('z', 'theirs')]), 'main.ipynb');
    const contents = `/v1/notebooks/${projectId}/files-contents/${fileId}`;
    await app.call('PATCH', contents, { token: ada.token, body: { upload_id } });
    await topic.event('document_replaced');
    const versions = async () => {
      const path = `/v1/notebooks/${projectId}/files/${fileId}/versions`;
      const { body } = await app.call<{ entries: { name: string | null }[] }>('GET', path, { token: ada.token });
      return body.entries.map(({ name }) => name);
    };
    return { ...opened, versions };
  }

  test('another content of the file replaces it, and what was not saved is a version', async () => {
    const { send, read, versions } = await replaced();
    expect((await read()).cells).toMatchObject([{ id: 'z', source: 'theirs' }]);
    await send('insert_cell', { cell: { id: 'y' }, after_id: 'z' });
    expect(await versions()).toContain('Edits before the file was replaced');
  });

  test('what was not saved is a version also when nobody edits again, and another server had the kernel', async () => {
    const { app, fileId, versions } = await replaced();
    const [sessionId, ownerId] = [crypto.randomUUID(), crypto.randomUUID()];
    const ownedUntil = new Date(app.clock.time - 60_000);
    await app.database.db.update(notebooks).set({ sessionId, ownerId, ownedUntil }).where(eq(notebooks.fileId, fileId));
    app.clock.time += 20_000;
    await expect.poll(versions).toContain('Edits before the file was replaced');
  });

  test('an earlier version can be looked at and restored', async () => {
    const { app, ada, projectId, fileId, send, read, topic } = await setUp(
      fileOf([
        code(
          'a',
          'first',
          ['it ', 'was\n'].map((text) => ({ output_type: 'stream', name: 'stdout', text })),
        ),
      ]),
    );
    await send('update_cell_source', { cell_id: 'a', source: 'second' });
    await send('clear_cell_output', { cell_id: 'a' });
    await send('save_version', { name: 'Two' });
    const versions = await app.call<{ entries: { id: string; version: number }[] }>(
      'GET',
      `/v1/notebooks/${projectId}/files/${fileId}/versions`,
      { token: ada.token },
    );
    const first = versions.body.entries.find(({ version }) => version === 1)?.id ?? '';
    const more = await app.call('GET', `/v1/projects/${projectId}/files/${fileId}/notebook/outputs`, {
      token: ada.token,
      query: { version_id: first, cell_id: 'a', from: '1' },
    });
    expect(more.body).toMatchObject({ from: 1, outputs: [{ text: 'was\n' }], outputs_total: 2 });
    const past = await open(app, ada.token, projectId, fileId, { version_id: first });
    expect(await past.read()).toMatchObject({ mode: 'view', cells: [{ source: 'first' }] });
    expect(await refused(past.send('delete_cell', { cell_id: 'a' }))).toMatchObject({ reason: 'no_permissions' });
    await send('restore_version', { version_id: first });
    await topic.event('document_replaced');
    expect(await read()).toMatchObject({ is_saved: true, cells: [{ source: 'first' }] });
  });

  test('is exported as a script, as text and as a page', async () => {
    const { app, ada, projectId, fileId, send } = await setUp(
      fileOf([
        { cell_type: 'markdown', id: 'm', metadata: {}, source: '# Hi <script>alert(1)</script> $x^2$' },
        code('a', 'x = 1'),
      ]),
    );
    await send('update_cell_source', { cell_id: 'a', source: 'x = 2' });
    const exported = async (type: string) =>
      String(
        (
          await app.call<string>('POST', `/v1/projects/${projectId}/files/${fileId}/export`, {
            token: ada.token,
            body: { type },
          })
        ).body,
      );
    expect(await exported('py')).toBe('# %% [markdown]\n# # Hi <script>alert(1)</script> $x^2$\n\n# %%\nx = 2\n');
    expect(await exported('md')).toContain('```python\nx = 2\n```');
    expect(await exported('html')).toMatch(/&lt;script&gt;.*<msup><mi>x<\/mi><mn>2<\/mn><\/msup>/);
    const wrong = await app.call('POST', `/v1/projects/${projectId}/files/${fileId}/export`, {
      token: ada.token,
      body: { type: 'exe' },
    });
    expect(wrong.status).toBe(422);
  });
});

describe('people', () => {
  test('one writes in a cell at a time, another can take over', async () => {
    const { app, projectId, fileId, send, grant, topic } = await setUp(fileOf([code('a', '1'), code('b', '2')]));
    const bob = await grant(['view', 'view_source', 'edit']);
    const other = await open(app, bob.token, projectId, fileId);
    await send('start_editing_cell', { cell_id: 'a', tag: 'one' });
    expect(await other.topic.event('locks_changed')).toMatchObject({ locks: [{ cell_id: 'a', tag: 'one' }] });
    for (const [event, input] of [
      ['start_editing_cell', { cell_id: 'a' }],
      ['update_cell_source', { cell_id: 'a', source: 'mine' }],
      ['delete_cell', { cell_id: 'a' }],
    ] as const) {
      expect(await refused(other.send(event, input))).toMatchObject({ reason: 'locked' });
    }
    await other.send('update_cell_source', { cell_id: 'b', source: 'mine' });
    await other.send('start_editing_cell', { cell_id: 'a', takeover: true });
    expect(await refused(send('update_cell_source', { cell_id: 'a', source: 'x' }))).toMatchObject({
      reason: 'locked',
    });
    other.topic.channel.leave();
    await topic.event('locks_changed', ({ locks }) => (locks as object[]).length === 0);
    await send('update_cell_source', { cell_id: 'a', source: 'x' });
  });

  test('may do what their rights and their window allow', async () => {
    const input = { kind: 'number', name: 'n', value: 1, max: 5 };
    const cell = { ...code('i', 'n = 1'), metadata: { atoll: { type: 'input', input } } };
    const { app, ada, projectId, fileId, grant } = await setUp(fileOf([cell, code('a', 'n')]));
    const reader = await open(app, (await grant(['view', 'view_source'])).token, projectId, fileId);
    expect(await reader.read()).toMatchObject({ mode: 'view' });
    const runner = await open(app, (await grant(['view', 'view_source', 'execute'])).token, projectId, fileId);
    expect(runner.topic.response).toMatchObject({ mode: 'input' });
    const inputs = await open(app, ada.token, projectId, fileId, { input_mutation: true });
    const view = await open(app, ada.token, projectId, fileId, { view_only: true });
    for (const each of [reader, view]) {
      expect(await refused(each.send('execute_cell', { cell_id: 'a' }))).toMatchObject({ reason: 'no_permissions' });
      expect(await refused(each.send('set_input', { cell_id: 'i', value: 2 }))).toMatchObject({
        reason: 'no_permissions',
      });
    }
    for (const each of [reader, view, runner, inputs]) {
      const edit = each.send('update_cell_source', { cell_id: 'a', source: 'x' });
      expect(await refused(edit)).toMatchObject({ reason: 'no_permissions' });
    }
    expect(await refused(runner.send('set_input', { cell_id: 'i', value: 9 }))).toMatchObject({
      reason: 'unprocessable_entity',
    });
    expect(await inputs.send<DocumentChange>('set_input', { cell_id: 'i', value: 3 })).toMatchObject({
      cells: [{ id: 'i', source: 'n = 3' }],
    });
  });

  test('hear of it when they may do more, or less, and need not come in again', async () => {
    const { app, ada, projectId, fileId, grant, topic, send } = await setUp(fileOf([code('a', '1')]));
    const bob = await grant(['view', 'view_source']);
    const theirs = await open(app, bob.token, projectId, fileId);
    const onlyLooking = await open(app, bob.token, projectId, fileId, { view_only: true });
    const share = async (permissions: string[]) => {
      const answer = await app.call('POST', `/v1/notebooks/${projectId}/user_permissions`, {
        token: ada.token,
        body: { user_id: bob.id, permissions },
      });
      expect(answer.status).toBe(200);
    };
    await share(['view_source', 'execute']);
    expect(await theirs.topic.event('rights_changed')).toEqual({ mode: 'input' });
    await theirs.send('execute_cell', { cell_id: 'a' });
    await share(['view', 'edit', 'execute']);
    expect(await theirs.topic.event('rights_changed', ({ mode }) => mode === 'edit')).toBeDefined();
    await theirs.send('start_editing_cell', { cell_id: 'a' });
    await theirs.send('update_cell_source', { cell_id: 'a', source: '2' });
    await topic.event('locks_changed', ({ locks }) => (locks as object[]).length === 1);

    await share(['view_source']);
    expect(await theirs.topic.event('rights_changed', ({ mode }) => mode === 'view')).toBeDefined();
    // Whoever may not write any more keeps nobody else from it.
    await topic.event('locks_changed', ({ locks }) => (locks as object[]).length === 0);
    await send('update_cell_source', { cell_id: 'a', source: '3' });
    expect(await refused(theirs.send('update_cell_source', { cell_id: 'a', source: '4' }))).toMatchObject({
      reason: 'no_permissions',
    });
    expect(await onlyLooking.read()).toMatchObject({ mode: 'view' });
    expect(onlyLooking.topic.events.filter(({ event }) => event === 'rights_changed')).toEqual([]);
  });

  test('are told the last of two changes last, also when the first is looked at for longer', async () => {
    const { app, ada, projectId, fileId, grant } = await setUp(fileOf([code('a', '1')]));
    const bob = await grant(['view', 'view_source']);
    const theirs = await open(app, bob.token, projectId, fileId);
    const share = (permissions: string[]) =>
      app.call('POST', `/v1/notebooks/${projectId}/user_permissions`, {
        token: ada.token,
        body: { user_id: bob.id, permissions },
      });
    const { db } = app.database;
    const [looked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const execute = db.execute.bind(db);
    let looks = 0;
    const slowly = (query: SQL) => {
      const asked = execute(query);
      const { params } = new PgDialect().sqlToQuery(query);
      // First whether Bob may see it at all, then what he may do.
      if (!params.includes(bob.id) || !params.includes(projectId) || ++looks !== 2) return asked;
      return {
        async execute() {
          const answer = await asked.execute();
          looked.resolve();
          await release.promise;
          return answer;
        },
      };
    };
    Object.assign(db, { execute: slowly });
    // The database is lent to other tests afterwards.
    onTestFinished(() => void Object.assign(db, { execute }));
    await share(['view_source', 'execute']);
    await looked.promise;
    await share(['view', 'edit', 'execute']);
    // Enough for the second to be told, were it not to wait for the first.
    for (let round = 0; round < 3; round++) await theirs.read();
    release.resolve();
    const told = () => theirs.topic.events.filter(({ event }) => event === 'rights_changed');
    await expect.poll(() => told().map(({ payload }) => payload)).toEqual([{ mode: 'input' }, { mode: 'edit' }]);
    await theirs.send('start_editing');
  });
});

test('one cell elsewhere is shown only to people who may see the source', async () => {
  const { app, ada, projectId, fileId, grant } = await setUp(fileOf([code('a', 'mine()', [stdout('salary 4200')])]));
  const bob = await grant(['view_source']);
  await app.call('PATCH', `/v1/notebooks/${projectId}`, {
    token: ada.token,
    body: { visibility: 'public', hides_source: true },
  });
  const seen = async (token: string) => {
    const where = { project_id: projectId, file_id: fileId, mode: 'both' };
    const topic = await join(await connect(app, token), topicName(topics.embeddedCell, { cellId: 'a' }), where);
    return { joined: topic.response, page: await topic.push('fetch_cell_output', {}) };
  };
  expect(JSON.stringify(await seen(bob.token))).toMatch(/mine\(\).*salary 4200/);
  const guest = await app.guest();
  const hidden = await refused(seen(guest.token));
  expect(hidden).toMatchObject({ reason: expect.any(String) });
  expect(JSON.stringify(hidden)).not.toMatch(/mine|salary/);
});

test('deleted cells are shown to people who may see the history', async () => {
  const { app, projectId, fileId, grant, send } = await setUp(fileOf([code('a', 'x'), code('b', 'y')]));
  await send('delete_cell', { cell_id: 'a' });
  const [reader, historian] = [await grant(['view_source']), await grant(['view_history'])];
  const bin = async (token: string) => refused((await open(app, token, projectId, fileId)).ask('list_bin'));
  expect(await bin(reader.token)).toMatchObject({ reason: 'no_permissions' });
  expect(await bin(historian.token)).toMatchObject({ answer: { cells: [{ id: 'a' }] } });
});

test('what one cell shows is read by pages and searched', async () => {
  const said = Array.from({ length: 250 }, (_, index) => `Line ${index}\n`).join('');
  const picture = { output_type: 'display_data', data: { 'image/png': 'A'.repeat(100_000) }, metadata: {} };
  const result = { output_type: 'execute_result', data: { 'text/plain': 'line of a result' }, metadata: {} };
  const outputs = [{ output_type: 'stream', name: 'stdout', text: said }, picture, { ...result, execution_count: 1 }];
  const { app, ada, projectId, fileId } = await setUp(fileOf([code('a', 'x', outputs)]));
  const where = { project_id: projectId, file_id: fileId };
  const name = topicName(topics.embeddedCell, { cellId: 'a' });
  const topic = await join(await connect(app, ada.token), name, where);
  const page = (input: Fields) => topic.push('fetch_cell_output', input);
  const first = await page({ page_size: 100 });
  expect(first).toMatchObject({ total: 251, outputs: [picture] });
  expect(first.lines).toHaveLength(100);
  expect(await page({ page: 3, page_size: 100 })).toMatchObject({
    lines: expect.arrayContaining([{ number: 251, text: 'line of a result' }]),
    outputs: [],
  });
  expect(await page({ search_query: 'line 24' })).toMatchObject({ total: 11 });
  expect(await page({ search_query: 'a result' })).toMatchObject({ total: 1, lines: [{ number: 251 }] });
  const one = await join(await connect(app, ada.token), name, { ...where, cell_output_index: 1 });
  expect(one.response).toMatchObject({ cell: null, shown: { outputs: [picture] } });
});

describe('running', () => {
  test('cells one after the other, with what they show, who ran them, and the rest not after one fails', async () => {
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

  test('all cells but those tagged skip-execution, which run when they are asked for', async () => {
    const skipped = { ...code('b', 'x = 2'), metadata: { tags: ['skip-execution'] } };
    const { send, topic, read } = await setUp(fileOf([code('a', 'x = 1'), skipped, code('c', 'x')]));
    const { queue } = await send<{ queue: { cell_id: string }[] }>('execute_all_cells');
    expect(queue.map(({ cell_id }) => cell_id)).toEqual(['a', 'c']);
    await idle(topic, 2);
    await send('execute_cell', { cell_id: 'b' });
    await topic.event('cell_executed', ({ cell_id }) => cell_id === 'b');
    expect((await read()).cells.map(({ execution }) => execution?.state)).toEqual(['ok', 'ok', 'ok']);
  });

  test('the queue can be changed while one runs, and interrupting empties it', async () => {
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

  test('input() asks in place and goes on with the answer', async () => {
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

  test('an input that reruns runs what depends on it', async () => {
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
    await app.call('POST', `/v1/notebooks/${projectId}/files-contents`, {
      token: ada.token,
      body: { name: 'data.csv' },
    });
    await idle(topic, 2);
    expect(topic.events.filter(({ event }) => event === 'cell_executed')).toHaveLength(2);
  });

  test('what code writes is kept no longer once somebody runs some who may not edit', async () => {
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

  test('beside each other is refused with the reason where no kernel can', async () => {
    const { send, read, topic } = await setUp(fileOf([code('a', '1')]));
    const enable = () => refused(send('toggle_parallel_execution_enabled', { is_enabled: true }));
    expect(await enable()).toMatchObject({ reason: 'no_kernel' });
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    expect(await enable()).toMatchObject({ reason: 'disabled_in_configuration' });
    expect((await read()).settings.is_parallel_execution_enabled).toBe(false);
  });

  test('what the kernel takes long to answer holds up nothing else in the same window', async () => {
    const { send, ask, topic } = await setUp(fileOf([code('a', '1')]));
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    const endless = ask('execute_code', { code: 'while True: pass' });
    expect(await send('update_cell_source', { cell_id: 'a', source: '2' })).toMatchObject({ cells: [{ source: '2' }] });
    await send('interrupt');
    expect(await endless).toMatchObject({ state: 'aborted' });
  });

  test('restart begins anew, and a stopped kernel says so', async () => {
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

  test('a deleted cell is not run, and clearing takes away what is shown', async () => {
    const { send, topic, read } = await setUp(fileOf([code('a', 'print("x")')]));
    await send('execute_cell', { cell_id: 'a' });
    await idle(topic, 1);
    await send('clear_cell_output', { cell_id: 'a' });
    expect((await read()).cells[0]).toMatchObject({ outputs: [], execution: null, execution_count: null });
    await send('delete_cell', { cell_id: 'a' });
    expect(await refused(send('execute_cell', { cell_id: 'a' }))).toMatchObject({ reason: 'not_found' });
  });
});

test('deleting the file ends what is stored of it', async () => {
  const { app, ada, projectId, fileId, send } = await setUp(fileOf([code('a', '1')]));
  await send('update_cell_source', { cell_id: 'a', source: '2' });
  await app.call('DELETE', `/v1/notebooks/${projectId}/files/${fileId}`, { token: ada.token });
  expect(await refused(send('update_cell_source', { cell_id: 'a', source: '3' }))).toMatchObject({
    reason: 'not_found',
  });
  const rows = await app.database.db.select().from(notebookCells).where(eq(notebookCells.fileId, fileId));
  expect(rows).toHaveLength(1);
});
