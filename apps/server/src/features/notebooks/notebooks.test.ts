import type { DocumentChange } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { workbook } from '../files/test-workbook.ts';
import { notebookCells, notebooks } from './table.ts';
import { code, type Fields, fileOf, open, refused, setUp } from './test/open-notebook.ts';

describe('the document', () => {
  test('opens with the outputs of the file, and changes nothing until the first edit', async () => {
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

  test('is edited cell by cell, sent to all windows, and saved into the file with all other fields', async () => {
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
    const saved = await app.get<Fields>(ada.token, `/v1/notebooks/${projectId}/file_raw_contents/${fileId}`);
    const body = saved.body as unknown;
    const file = (typeof body === 'string' ? JSON.parse(body) : body) as { cells: Fields[]; metadata: Fields };
    expect(file.metadata).toEqual({ odd: 1.5 });
    expect(file.cells).toEqual([
      expect.objectContaining({ id: 'b', source: 'y' }),
      expect.objectContaining({ id: 'a', source: ['x = 2\n', 'x'], extra: { of: 'others' } }),
      expect.objectContaining({ id: 'c', cell_type: 'markdown' }),
    ]);
  });

  test('keeps a version that was saved by hand', async () => {
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

  test('opens with the beginning of a large notebook, and loses nothing', async () => {
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
    const saved = await app.post<string>(ada.token, `/v1/projects/${projectId}/files/${fileId}/export`, {
      type: 'ipynb',
    });
    const body = saved.body as unknown;
    expect((typeof body === 'string' ? body : JSON.stringify(body, null, 1)).includes('"z"')).toBe(true);
    // A deleted cell keeps all its outputs.
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

  test('has the chosen kernel and server, where these exist', async () => {
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
    const file = await app.get<{ version: number }>(ada.token, `/v1/notebooks/${projectId}/files/${fileId}`);
    expect(file.body.version).toBe(2);
  });

  test('reports edits that no longer apply, and keeps a deleted cell in the bin', async () => {
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

  test('restores a deleted cell with its outputs, also after the file was saved without it', async () => {
    const outputs = [{ name: 'stdout', output_type: 'stream', text: 'shown\n' }];
    const { send, read } = await setUp(fileOf([code('a', '1', outputs), code('b', '2')]));
    await send('delete_cell', { cell_id: 'a' });
    await send('save_version');
    await send('restore_cell', { cell_id: 'a' });
    expect((await read()).cells[0]).toMatchObject({ id: 'a', outputs: [{ text: 'shown\n' }] });
  });

  test('rejects or repairs content that the database or a file cannot hold, and keeps the connection', async () => {
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

  test('sends no picture after an edit of the text, and loses none', async () => {
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

  test('clears all outputs before any other change', async () => {
    const outputs = [{ name: 'stdout', output_type: 'stream', text: 'shown\n' }];
    const { send, read } = await setUp(fileOf([code('a', '1', outputs), code('b', '2', outputs)]));
    expect(await send<DocumentChange>('clean')).toMatchObject({ cleared_ids: ['a', 'b'] });
    expect((await read()).cells).toMatchObject([{ outputs: [] }, { outputs: [] }]);
  });

  test('opens a half broken notebook, and no file that is not a notebook', async () => {
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

  /** Sets up an unsaved edit of a cell, after which the file was replaced. */
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

  test('is replaced by new content of the file, and keeps unsaved edits as a version', async () => {
    const { send, read, versions } = await replaced();
    expect((await read()).cells).toMatchObject([{ id: 'z', source: 'theirs' }]);
    await send('insert_cell', { cell: { id: 'y' }, after_id: 'z' });
    expect(await versions()).toContain('Edits before the file was replaced');
  });

  test('keeps unsaved edits as a version also without another edit, when another server had the kernel', async () => {
    const { app, fileId, versions } = await replaced();
    const [sessionId, ownerId] = [crypto.randomUUID(), crypto.randomUUID()];
    const ownedUntil = new Date(app.clock.time - 60_000);
    await app.database.db.update(notebooks).set({ sessionId, ownerId, ownedUntil }).where(eq(notebooks.fileId, fileId));
    app.clock.time += 20_000;
    await expect.poll(versions).toContain('Edits before the file was replaced');
  });

  test('shows and restores an earlier version', async () => {
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
    const versions = await app.get<{ entries: { id: string; version: number }[] }>(
      ada.token,
      `/v1/notebooks/${projectId}/files/${fileId}/versions`,
    );
    const first = versions.body.entries.find(({ version }) => version === 1)?.id ?? '';
    const more = await app.get(ada.token, `/v1/projects/${projectId}/files/${fileId}/notebook/outputs`, {
      version_id: first,
      cell_id: 'a',
      from: '1',
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
      String((await app.post<string>(ada.token, `/v1/projects/${projectId}/files/${fileId}/export`, { type })).body);
    expect(await exported('py')).toBe('# %% [markdown]\n# # Hi <script>alert(1)</script> $x^2$\n\n# %%\nx = 2\n');
    expect(await exported('md')).toContain('```python\nx = 2\n```');
    expect(await exported('html')).toMatch(/&lt;script&gt;.*<msup><mi>x<\/mi><mn>2<\/mn><\/msup>/);
    const wrong = await app.post(ada.token, `/v1/projects/${projectId}/files/${fileId}/export`, { type: 'exe' });
    expect(wrong.status).toBe(422);
  });
});

test('exports code of another language under its own extension', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { id: projectId } = await app.project(ada.token);
  const metadata = { language_info: { name: 'R' } };
  const file = JSON.stringify({ ...JSON.parse(fileOf([code('a', 'x <- 1')])), metadata });
  const { body } = await app.createFile(ada.token, projectId, 'tides.ipynb', file);
  const answer = await app.call('POST', `/v1/projects/${projectId}/files/${body.id}/export`, {
    token: ada.token,
    body: { type: 'py' },
  });
  expect(answer.body).toBe('# %%\nx <- 1\n');
  expect(answer.headers['content-disposition']).toContain('tides.r');
});

test('includes the newest typed text in every copy', async () => {
  const { app, ada, projectId, fileId, send, grant } = await setUp(fileOf([code('a', '1')]));
  const contentOf = async (project: string, file: string, token = ada.token) =>
    JSON.stringify((await app.get(token, `/v1/notebooks/${project}/file_raw_contents/${file}`)).body);
  await send('update_cell_source', { cell_id: 'a', source: 'downloaded' });
  // A reader does not save the notebook. When a save fails, the export has the content of the last save.
  const reader = await grant(['view', 'view_source']);
  expect(await contentOf(projectId, fileId, reader.token)).not.toContain('downloaded');
  vi.spyOn(app.app.system().blobs, 'put').mockRejectedValueOnce(new Error('The disk is full'));
  expect(await contentOf(projectId, fileId)).not.toContain('downloaded');
  expect(await contentOf(projectId, fileId)).toContain('downloaded');
  await send('update_cell_source', { cell_id: 'a', source: 'duplicated' });
  const duplicate = await app.call<{ id: string }>('PUT', `/v1/notebooks/${projectId}/files/${fileId}/duplicate`, {
    token: ada.token,
  });
  expect(await contentOf(projectId, duplicate.body.id)).toContain('duplicated');
  await send('update_cell_source', { cell_id: 'a', source: 'cloned' });
  const clone = await app.post<{ id: string; default_file_id: string }>(
    ada.token,
    `/v1/notebooks/${projectId}/clone`,
    {},
  );
  expect(await contentOf(clone.body.id, clone.body.default_file_id)).toContain('cloned');
});

test('deletes all stored data of a notebook with its file', async () => {
  const { app, ada, projectId, fileId, send } = await setUp(fileOf([code('a', '1')]));
  await send('update_cell_source', { cell_id: 'a', source: '2' });
  await app.call('DELETE', `/v1/notebooks/${projectId}/files/${fileId}`, { token: ada.token });
  expect(await refused(send('update_cell_source', { cell_id: 'a', source: '3' }))).toMatchObject({
    reason: 'not_found',
  });
  const rows = await app.database.db.select().from(notebookCells).where(eq(notebookCells.fileId, fileId));
  expect(rows).toHaveLength(1);
});
