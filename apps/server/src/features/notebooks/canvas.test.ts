import { type Notebook, topicName, topics } from '@atoll/contract';
import { expect, test } from 'vitest';
import { connect, JoinRefused, join } from '../../test/realtime-client.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { projectGrants } from '../projects/table.ts';

type Fields = Record<string, unknown>;

async function open(app: TestApp, token: string, projectId: string, fileId: string) {
  const topic = await join(await connect(app, token), topicName(topics.notebook, { projectId, fileId }));
  const edit = (...operations: Fields[]) => topic.push('edit', { request_id: crypto.randomUUID(), operations });
  const read = () => topic.push('get_notebook', {}) as unknown as Promise<Notebook>;
  return { topic, edit, read };
}

const put = (id: string, fields: Fields) => ({ op: 'insert_item', item_id: id, fields });
const alive = ({ items }: Notebook) =>
  Object.fromEntries(items.flatMap(({ id, fields }) => (fields ? [[id, fields]] : [])));

test('edits the items of a canvas one by one, sends them to all windows and saves them in its file', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { id: projectId, default_file_id } = await app.project(ada.token, { kind: 'canvas', create_main_file: true });
  const fileId = default_file_id ?? '';
  const { edit, read, topic } = await open(app, ada.token, projectId, fileId);
  expect(await read()).toMatchObject({ mode: 'edit', cells: [], items: [], problems: [] });

  const viewer = await app.person();
  const permissions: (typeof projectGrants.$inferInsert)['permissions'] = ['view', 'view_source', 'execute'];
  const createdAt = new Date(app.clock.time);
  await app.database.db.insert(projectGrants).values({ projectId, userId: viewer.id, permissions, createdAt });
  const other = await open(app, viewer.token, projectId, fileId);

  await edit(
    put('note', { kind: 'sticky', x: 1, y: 2, text: 'Tides' }),
    put('later', { kind: 'hologram', x: 5 }),
    put('gone', { kind: 'text' }),
    {
      op: 'insert_cell',
      cell: { id: 'a', source: '1', metadata: { atoll: { place: { x: 3, y: 4 } } } },
      after_id: null,
    },
  );
  await edit({ op: 'update_item', item_id: 'note', fields: { x: 10 } }, { op: 'delete_item', item_id: 'gone' });
  const told = await other.topic.event('document_changed', ({ position }) => position === 2);
  expect(told).toMatchObject({
    head: null,
    cells: [],
    items: [
      { id: 'note', revision: 2, fields: { kind: 'sticky', x: 10, y: 2, text: 'Tides' } },
      { id: 'gone', revision: 2, fields: null },
    ],
  });
  const items = { note: { kind: 'sticky', x: 10, y: 2, text: 'Tides' }, later: { kind: 'hologram', x: 5 } };
  expect(alive(await other.read())).toEqual(items);

  // An update of an existing item succeeds together with one of a deleted item, and a deleted item can be put back.
  await edit({ op: 'update_item', item_id: 'gone', fields: { x: 1 } }, put('gone', { kind: 'text', text: 'back' }));
  await edit({ op: 'delete_item', item_id: 'gone' });

  const refused = [
    other.edit({ op: 'update_item', item_id: 'note', fields: { x: 99 } }),
    edit(put('note', { kind: 'text' })),
    edit(put('big', { text: 'x'.repeat(200_001) })),
    edit(put('bad id', {})),
  ];
  await Promise.all(refused.map((work) => expect(work).rejects.toBeInstanceOf(JoinRefused)));

  await topic.push('save_version', { request_id: crypto.randomUUID() });
  const raw = await app.call('GET', `/v1/notebooks/${projectId}/file_raw_contents/${fileId}`, { token: ada.token });
  const file = (typeof raw.body === 'string' ? JSON.parse(raw.body) : raw.body) as {
    cells: Fields[];
    metadata: Fields;
  };
  expect(file.metadata).toEqual({ language_info: { name: 'python' }, atoll: { canvas: { items } } });
  expect(file.cells).toMatchObject([{ id: 'a', metadata: { atoll: { place: { x: 3, y: 4 } } } }]);

  // A print or an embedding page shows the cells in rows.
  const get = (url: string, token?: string) => {
    const headers = { host: 'localhost:4000', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    return app.app.http.inject({ url, headers });
  };
  const printed = await get(`/print-canvas/${projectId}/${fileId}`, ada.token);
  expect(printed.statusCode).toBe(200);
  expect(printed.body).toContain('class="board"');
  expect(printed.body).toContain('Tides');
  for (const url of [`/print-canvas/${projectId}/${fileId}`, `/print-canvas/x/${fileId}`]) {
    expect((await get(url)).body).not.toContain('Tides');
  }

  // The export draws the board as it stands. It rejects an unknown frame, and slides of a board without frames, with a
  // message.
  const exported = (body: object) =>
    app.call('POST', `/v1/projects/${projectId}/files/${fileId}/export`, { token: ada.token, body });
  const drawing = await exported({ type: 'svg' });
  expect([drawing.status, String(drawing.body)]).toEqual([200, expect.stringMatching(/<svg .*Tides/s)]);
  expect((await exported({ type: 'png', frame_id: 'note' })).status).toBe(404);
  expect((await exported({ type: 'slides' })).status).toBe(409);
  expect((await exported({ type: 'svg', frame_id: 'no id' })).status).toBe(422);

  // The same content as an ordinary notebook gets the same layout, and reading it stores nothing.
  const upload = await app.upload(ada.token, JSON.stringify(file), 'board.ipynb');
  const copy = await app.project(ada.token, { upload_id: upload });
  const notebook = await (await open(app, ada.token, copy.id, copy.default_file_id ?? '')).read();
  expect(alive(notebook)).toEqual(items);
  expect(notebook.head.metadata).toEqual({ language_info: { name: 'python' }, atoll: { canvas: { items: {} } } });
});

test('draws a note without a browser on the server, where a script would draw it', async () => {
  const app = await createTestApp({ env: { CHROMIUM_PATH: '/nowhere/chromium' } });
  const ada = await app.person();
  const chart = { output_type: 'display_data', data: { 'application/vnd.plotly.v1+json': { data: [] } }, metadata: {} };
  const file = {
    cells: [{ cell_type: 'code', id: 'a', metadata: {}, execution_count: null, outputs: [chart], source: 'tides()' }],
    ...{ metadata: {}, nbformat: 4, nbformat_minor: 5 },
  };
  const upload = await app.upload(ada.token, JSON.stringify(file), 'board.ipynb');
  const { id, default_file_id } = await app.project(ada.token, { upload_id: upload });
  const exported = (type: string) =>
    app.call('POST', `/v1/projects/${id}/files/${default_file_id}/export`, { token: ada.token, body: { type } });
  expect((await exported('png')).status).toBe(501);
  const drawing = await exported('svg');
  expect([drawing.status, String(drawing.body)]).toEqual([
    200,
    expect.stringContaining('This is an interactive chart.'),
  ]);
  expect(String(drawing.body)).not.toContain('<script');
});
