import { join } from 'node:path';
import type { ErrorBody } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { app, ask, file, filter, page, parquet, statistics, useTables } from '../../test/set-ups/tables.ts';
import { sheetXml, workbook } from './test-workbook.ts';

useTables();

describe('files that are no tables', () => {
  test('say so by their name', async () => {
    const { status, body } = await ask<ErrorBody>(await file('txt', 'hello'));
    expect(status).toBe(415);
    expect(body.message).toContain('not a table');
  });

  test('say which line is wrong', async () => {
    const { status, body } = await ask<ErrorBody>(await file('csv', 'a,b\n1,2\n3,4,5\n6,7\n'));
    expect(status).toBe(422);
    expect(body.message).toBe('Line 3: it has 3 columns where the others have 2.');
    expect(body.details).toMatchObject({ line: 3, reason: 'unreadable' });
    // Its first lines are wrong or its last: none of them is left out silently.
    expect((await ask<ErrorBody>(await file('csv', 'a,b\n1,2\n3,4,5\n6,7,8\n'))).body.message).toContain('Line 3');
  });

  test.each([
    ['broken json', 'json', '[{"a":1},{"a":'],
    ['a parquet that is none', 'parquet', 'PAR1 hello PAR1'],
    ['an empty parquet', 'parquet', ''],
    ['an xlsx that is none', 'xlsx', 'hello'],
    ['an empty xlsx', 'xlsx', ''],
  ])('%s: told in words, without our paths or statements', async (_name, extension, content) => {
    const { status, body } = await ask<ErrorBody>(await file(extension, content));
    expect(status).toBe(422);
    expect(body.message.length).toBeGreaterThan(10);
    expect(JSON.stringify(body)).not.toMatch(/\/blobs\/|\/tmp\/|read_|select|LINE|duckdb/i);
  });

  test('a parquet file cut in the middle, or with its bytes mixed up, ends no server', async () => {
    const good = await parquet('select i, md5(i::varchar) as text from range(20000) t(i)');
    for (const content of [good.subarray(0, good.length / 2), garbled(good)]) {
      const { status } = await ask(await file('parquet', Buffer.from(content)));
      expect([200, 413, 422]).toContain(status);
    }
    expect((await page(await file('csv', 'a\n1\n'))).rows).toEqual([[1]]);
  });
});

/** The same bytes every time, wrong in the same places. */
function garbled(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.length - 400; at < copy.length - 12; at += 7) copy[at] = (copy[at] ?? 0) ^ 0x5a;
  return copy;
}

describe('hostile files and questions', () => {
  const secret = () => join(app.config.dataFolder, 'secret.csv');

  test.each([
    `"); drop table t; --`,
    `x') ; copy (select 1) to '/tmp/evil' ; --`,
    `c0" from read_csv('/etc/passwd') --`,
    `'; set enable_external_access = true; --`,
    `"`,
    `a "quoted" name`,
    `$1 ? :x {y} %s \\`,
    'SELECT',
    'c0',
    'place',
    '',
  ])('a column called %j is only a column', async (name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const made = await file('csv', `${quoted},n\nvalue,1\nother,2\n`);
    const table = await page(made);
    const [column] = table.columns;
    expect(column?.name).toBe(name || 'column0');
    const asked = column?.name ?? '';
    expect((await page(made, { sort_by: asked, sort_direction: 'desc' })).rows[0]).toEqual(['value', 1]);
    expect((await page(made, filter(asked, 'equals', 'other'))).rows).toEqual([['other', 2]]);
    expect((await statistics(made, { column: asked })).top).toHaveLength(2);
  });

  test('names out of json and parquet too', async () => {
    const name = `a\u0000b"; drop table t; --`;
    const json = await page(await file('json', JSON.stringify([{ [name]: 1, ok: 2 }])));
    expect(json.rows[0]).toHaveLength(json.columns.length);
    const made = await file('parquet', await parquet(`select 1 as """; drop table t; --", 2 as "c0"`));
    expect((await page(made, { sort_by: '"; drop table t; --' })).rows).toEqual([[1, 2]]);
  });

  test.each([
    "' or 1=1 --",
    "'); select * from read_csv('/etc/passwd'); --",
    '%',
    '\\',
    '$1',
    "x' union select * from read_text('/etc/passwd') --",
  ])('the value %j is only compared', async (value) => {
    const made = await file('csv', 'a,b\nx,1\ny,2\n');
    for (const operator of ['equals', 'contains', 'greater']) {
      expect((await page(made, filter('a', operator, value))).rows.flat()).not.toContain('root');
    }
    expect((await page(made, filter('a', 'equals', value))).total).toBe(0);
    expect((await page(made, { search: value })).total).toBe(0);
    expect((await ask(made, { sheet: value })).status).toBe(422);
  });

  test('no question reaches another file', async () => {
    const made = await file('csv', 'a\n1\n');
    await page(made);
    for (const name of [secret(), '/etc/passwd', `${app.config.dataFolder}/blobs`]) {
      expect((await ask(made, { sort_by: name })).status).toBe(422);
    }
  });

  test('a workbook that unpacks to very much is refused', async () => {
    const bomb = await workbook({ A: `<worksheet><sheetData>${' '.repeat(60 * 1024 ** 2)}</sheetData></worksheet>` });
    expect(bomb.length).toBeLessThan(1024 ** 2);
    const { status, body } = await ask<ErrorBody>(await file('xlsx', bomb));
    expect(status).toBe(413);
    expect(body.message).toContain('unpacks to more');
  });

  test('a workbook that lies about its size is refused', async () => {
    const honest = await workbook({ A: sheetXml([['a'.repeat(100_000)]]) });
    const path = Buffer.from('xl/worksheets/sheet1.xml');
    const entry = honest.lastIndexOf(path) - 46;
    honest.writeUInt32LE(100, entry + 24);
    expect((await ask(await file('xlsx', honest))).status).toBe(422);
  });

  test.each([
    ['at the end of the world', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', 413, 'far away'],
    [
      'in two corners',
      '<row r="1"><c r="XFD1"><v>1</v></c></row><row r="9999"><c r="A9999"><v>1</v></c></row>',
      413,
      'far',
    ],
    ['beyond every sheet', '<row><c r="A99999999"><v>1</v></c></row>', 422, 'no place'],
    ['in disguise', '<row><c r="&#88;FD1048576"><v>1</v></c></row>', 422, 'no place'],
  ])('a workbook with a cell %s is refused', async (_, rows, code, words) => {
    const far = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const { status, body } = await ask<ErrorBody>(await file('xlsx', await workbook({ A: far })));
    expect([status, body.message]).toEqual([code, expect.stringContaining(words)]);
  });

  test('long texts are cut, so that no answer is endless', async () => {
    const table = await page(await file('json', JSON.stringify([{ a: 'x'.repeat(100_000) }])));
    expect(String(table.rows[0]?.[0])).toHaveLength(1_001);
  });

  test('a table of very many columns is refused', async () => {
    const wide = `${Array.from({ length: 2_001 }, (_, index) => `c${index}`).join(',')}\n`;
    expect((await ask(await file('csv', wide))).status).toBe(413);
  });
});
