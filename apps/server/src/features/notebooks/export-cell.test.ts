import { execFileSync } from 'node:child_process';
import { testPython } from '@atoll/kernels/test-python';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { code, notebook, shows } from '../../test/set-ups/notebooks.ts';
import { createSharedApp } from '../../test/test-app.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const rows = [
  ['plain', 1, true],
  ['comma, "quote"\nand line', -2.5, false],
  ['=1+1', null, null],
  [' padded é', 3, true],
];
const table = { columns: [{ name: 'name' }, { name: 'value' }, { name: 'value' }], rows, all: 4 };
const content = notebook(
  code('', 'table', shows({ 'application/vnd.atoll.dataframe+json': table, 'text/plain': 'x' })),
  code('', 'picture', shows({ 'image/png': png }, { 'image/svg+xml': svg })),
  code('', 'text', [{ output_type: 'stream', name: 'stdout', text: 'hello\n' }]),
);

const app = await createSharedApp();
const ada = await app.person();
const { id: projectId } = await app.project(ada.token, { name: 'Tables' });
const file = await app.createFile(ada.token, projectId, 'a.ipynb', content);
const url = `/v1/projects/${projectId}/files/${file.body.id}/export_cell`;

const post = (path: string, payload: object, token = ada.token) =>
  app.app.http.inject({
    method: 'POST',
    url: `/api/atoll${path}`,
    headers: { host: 'localhost:4000', authorization: `Bearer ${token}` },
    payload,
  });
const exported = (payload: object, token?: string) => post(url, payload, token);

describe('what a cell shows, as a file', () => {
  test('a table as csv, read by another program', async () => {
    const answer = await exported({ cell_id: 'table', type: 'csv' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers['content-disposition']).toContain('a-table.csv');
    const read = execFileSync(
      testPython,
      [
        '-c',
        'import csv,io,json,sys; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode(), newline="")))))',
      ],
      { input: answer.rawPayload },
    );
    expect(JSON.parse(String(read))).toEqual([
      ['name', 'value', 'value'],
      ...rows.map((row) => row.map((value) => (value === null ? '' : String(value)))),
    ]);
  });

  test('exports a table as a workbook and turns no text into a formula', async () => {
    const answer = await exported({ cell_id: 'table', type: 'xlsx' });
    const sheet = await readWorkbook(answer.rawPayload, { trim: false });
    expect(sheet[0]?.data ?? sheet).toEqual([['name', 'value', 'value'], ...rows]);
  });

  test('exports a table as json, and any other output, too', async () => {
    const records = (await exported({ cell_id: 'table', type: 'json' })).json();
    expect(records[1]).toEqual({ name: 'comma, "quote"\nand line', value: -2.5, value_2: false });
    expect((await exported({ cell_id: 'text', type: 'json' })).json()).toMatchObject([{ text: 'hello\n' }]);
  });

  test('exports pictures unchanged, and a picture with a script runs nothing', async () => {
    expect((await exported({ cell_id: 'picture', type: 'png' })).rawPayload).toEqual(Buffer.from(png, 'base64'));
    const drawing = await exported({ cell_id: 'picture', type: 'svg', output_index: 1 });
    expect(drawing.body).toBe(svg);
    expect(drawing.headers).toMatchObject({
      'content-disposition': expect.stringContaining('attachment'),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  test('rejects outputs that the cell does not have and invalid requests with a message', async () => {
    for (const body of [
      { cell_id: 'text', type: 'csv' },
      { cell_id: 'text', type: 'png' },
      { cell_id: 'picture', type: 'png', output_index: 1 },
      { cell_id: 'table', type: 'pdf' },
      { cell_id: '../x', type: 'csv' },
      { cell_id: 'table', type: 'csv', output_index: -1 },
      { type: 'csv' },
    ]) {
      const answer = await exported(body);
      expect([answer.statusCode, answer.json().code], JSON.stringify(body)).toEqual([422, 'unprocessable_entity']);
    }
    expect((await exported({ cell_id: 'none', type: 'csv' })).statusCode).toBe(404);
  });

  test('only for people who may export data', async () => {
    const eve = await app.person();
    const body = { cell_id: 'table', type: 'csv' };
    expect((await exported(body, eve.token)).statusCode).toBe(404);
    const share = (permissions: string[]) => app.share(ada.token, projectId, eve.id, permissions);
    await share(['view', 'view_source']);
    expect((await exported(body, eve.token)).statusCode).toBe(403);
    const grants = await app.get<{ entries: { id: string }[] }>(
      ada.token,
      `/v1/notebooks/${projectId}/user_permissions`,
    );
    const change = (permissions: string[]) =>
      app.patch(ada.token, `/v1/notebooks/${projectId}/user_permissions/${grants.body.entries.at(-1)?.id}`, {
        permissions,
      });
    await change(['view', 'export_data']);
    expect((await exported(body, eve.token)).statusCode).toBe(403);
    await change(['view', 'view_source', 'export_data']);
    expect((await exported(body, eve.token)).statusCode).toBe(200);
  });
});

test('a project as a zip, or a part of it', async () => {
  const zip = await post(`/v1/projects/${projectId}/export`, {});
  expect(zip.headers['content-type']).toBe('application/zip');
  const names = execFileSync(
    testPython,
    [
      '-c',
      'import io,json,sys,zipfile; z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())); z.testzip(); print(json.dumps(z.namelist()))',
    ],
    { input: zip.rawPayload },
  );
  expect(JSON.parse(String(names))).toEqual(['a.ipynb']);
  expect((await post(`/v1/projects/${projectId}/export`, { paths: ['none'] })).statusCode).toBe(404);
  expect((await post(`/v1/projects/${projectId}/export`, { paths: 'a' })).statusCode).toBe(422);
  expect((await post(`/v1/projects/${projectId}/export`, {}, (await app.person()).token)).statusCode).toBe(404);
});
