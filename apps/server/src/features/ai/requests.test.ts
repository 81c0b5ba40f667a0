import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { beginOnce, clientRequest } from '../../platform/realtime/apply-once.ts';
import { notebookCells } from '../notebooks/table.ts';
import { notKnown, underWay } from './service/assistant.ts';
import { refused, setUp } from './test-conversation.ts';

type Fields = Record<string, unknown>;

describe('requests', () => {
  test('code, a query, a chart, a notebook; plain and as a stream', async () => {
    const { app, ada } = await setUp();
    const { token } = ada;
    const ask = async (path: string, body: object) =>
      (await app.call<Fields>('POST', `/v1/ai/${path}`, { token, body })).body;
    const block = '> say Here:\\n```python\\nprint(1)\\n```\\nIt prints.';
    expect(await ask('cell', { prompt: block })).toMatchObject({
      code: 'print(1)',
      explanation: 'Here:\n\nIt prints.',
    });
    expect(await ask('cell', { action: 'explain', prompt: '> say It prints.', source: 'print(1)' })).toMatchObject({
      code: '',
      explanation: 'It prints.',
    });
    expect(
      await ask('sql', {
        prompt: '> say ```sql\\nselect 1\\n```',
        tables: [{ name: 't', columns: [{ name: 'a', type: 'int' }] }],
      }),
    ).toMatchObject({ code: 'select 1' });
    expect(await ask('chart', { prompt: block, table: 'df' })).toMatchObject({ code: 'print(1)' });
    expect(await ask('notebook', { prompt: '> say # Rates\\n\\nText\\n```python\\nx = 1\\n```' })).toMatchObject({
      title: 'Rates',
      cells: [{ type: 'markdown' }, { type: 'code', source: 'x = 1' }],
    });
    expect(await ask('publications-query', { prompt: '> say {"query": "rates", "tags": ["peru"]}' })).toEqual({
      ...{ query: 'rates', tags: ['peru'], is_by_model: true },
      ...{ category: null, type: null },
    });
    const project = await app.project(token, { name: 'Rates' });
    const file = await app.createFile(token, project.id, 'rates.ipynb', '{"cells":[],"nbformat":4,"nbformat_minor":5}');
    const titled = { title: 'Rates of Lima', access_level: 'public', category: 'finance' };
    await app.patch(token, `/v1/publications/files/${file.body.id}`, titled);
    const sentence = (category: string) => `> say {"query": "lima", "tags": [], "category": "${category}"}`;
    const listed = (ai_query: string, as: string | null = token) =>
      app.call<{ total: number; filters: object }>('GET', '/v1/publications', { token: as, query: { ai_query } });
    expect((await listed(sentence('finance'))).body).toMatchObject({
      ...{ total: 1, entries: [{ title: 'Rates of Lima' }] },
      filters: { query: 'lima', category: 'finance', is_by_model: true },
    });
    expect((await listed(sentence('research'))).body.total).toBe(0);
    expect((await listed(sentence('finance'), null)).status).toBe(401);
    const stream = await app.post<string>(token, '/v1/ai/generate', { prompt: '> say One two', stream: true });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    expect(String(stream.body)).toContain('{"type":"text","text":"One "}');
    expect(String(stream.body)).toContain('"type":"done"');
    expect((await app.call('POST', '/v1/ai/generate', { token, body: { prompt: '' } })).status).toBe(422);
    expect(
      (await app.call('POST', '/v1/ai/generate', { token, body: { prompt: 'x', model: 'server/gone' } })).status,
    ).toBe(422);
    expect((await app.call('POST', '/v1/ai/generate', { token, body: { prompt: '> fail 503 9' } })).status).toBe(503);
  });

  test('a person can use a tool themselves; sent again it is answered again and acts once', async () => {
    const { app, send, document, address } = await setUp();
    const twice = async (name: string, input: Fields) => {
      const request = { request_id: crypto.randomUUID(), name, input };
      const push = () => document.push('ai_tool_execute', request);
      const [first, beside] = await Promise.all([push(), push()]);
      // By a server that knows nothing of the first.
      underWay(app.app.system()).clear();
      expect([beside, await push()]).toEqual([first, first]);
      return first;
    };
    const read = await twice('read_notebook', {});
    expect(read).toMatchObject({ outcome: 'ok', result: expect.stringContaining('print("one")') });
    await twice('insert_cell', { source: 'q = 1' });
    const revision = Number(/id="cell-2" type="code" revision="(\d+)"/.exec(String(read.result))?.[1]);
    const changed = await twice('change_cell', { cell_id: 'cell-2', revision, source: 'x = 3' });
    expect(changed).toEqual({ outcome: 'ok', result: expect.any(String) });
    const cells = await app.database.db.select().from(notebookCells).where(eq(notebookCells.fileId, address.fileId));
    expect(cells.map(({ source }) => source).sort()).toEqual(['print("one")', 'q = 1', 'x = 3']);
    expect(await twice('run_cells', { cell_ids: ['cell-1'] })).toMatchObject({ result: 'Cell cell-1:\none' });
    const [ran] = await app.database.db.select().from(notebookCells).where(eq(notebookCells.id, 'cell-1'));
    expect(ran?.executionCount).toBe(1);
    expect(await refused(send('ai_tool_execute', { name: 'nothing' }))).toHaveProperty('reason');
    expect(await refused(document.push('ai_tool_execute', { name: 'read_notebook' }))).toHaveProperty('reason');
  });

  test('what was begun when the server was stopped is not begun again', async () => {
    const { app, ada, send, address } = await setUp();
    const request_id = crypto.randomUUID();
    const ctx = app.app.system().as({ kind: 'user', userId: ada.id, isAdmin: false });
    const call = { name: 'run_cells', input: { cell_ids: ['cell-1'] } };
    const request = clientRequest(request_id, [address, call.name, call.input]);
    const gone = beginOnce(ctx, request, notKnown, () => Promise.reject(new Error('Stopped')));
    await expect(gone).rejects.toThrow('Stopped');
    const again = await send('ai_tool_execute', { request_id, ...call });
    expect(again).toEqual(notKnown);
  });
});
