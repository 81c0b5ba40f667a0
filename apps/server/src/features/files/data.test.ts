import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ErrorBody, ProjectFile, TablePage } from '@atoll/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  app,
  ask,
  base,
  file,
  filter,
  kinds,
  page,
  parquet,
  type Query,
  statistics,
  token,
  useTables,
} from '../../test/set-ups/tables.ts';
import { workbook } from './test-workbook.ts';

useTables();

describe('who may read a table', () => {
  test('whoever may read the source, and nobody else', async () => {
    const made = await file('csv', 'a,b\n1,2\n');
    for (const path of [`${base}/files/${made.id}/data`, `${base}/files/${made.id}/data/statistics?column=a`]) {
      expect((await app.call('GET', path)).status).toBe(404);
      const eve = await app.person();
      expect((await app.call('GET', path, { token: eve.token })).status).toBe(404);
      expect((await app.call('GET', path, { token: 'x'.repeat(43) })).status).toBe(404);
      expect((await app.call('GET', path, { token })).status).toBe(200);
    }
  });

  test('an older version is another table, and a file of another project none', async () => {
    const made = await file('csv', 'a\n1\n');
    app.clock.advance(10 * 60_000);
    await app.patch(token, `${base}/files-contents/${made.id}`, { upload_id: await app.upload(token, 'a\n2\n') });
    expect((await page(made)).rows).toEqual([[2]]);
    expect((await page(made, { version_id: made.version_id })).rows).toEqual([[1]]);
    const other = await app.project(token);
    expect((await app.call('GET', `/v1/notebooks/${other.id}/files/${made.id}/data`, { token })).status).toBe(404);
  });

  test.each<[string, Query, string]>([
    ['page', { page: '0' }, 'page'],
    ['page_size', { page_size: '1001' }, 'page_size'],
    ['unknown operator', filter('a', 'matches', 'x'), 'filters.0.operator'],
    ['between with one value', filter('a', 'between', '1'), 'filters.0.value'],
    ['empty with a value', filter('a', 'is_empty', '1'), 'filters.0.value'],
    ['a column that is not there', filter('zz', 'equals', '1'), 'filters.0.column'],
    ['a word for a number', filter('a', 'greater', 'many'), 'filters.0.value'],
    ['a sort by nothing', { sort_by: 'zz' }, 'sort_by'],
    ['a sheet of a csv', { sheet: 'One' }, 'sheet'],
    ['filters that are no list', { filters: 'x' }, 'filters'],
  ])('refuses %s at its field', async (_name, query, field) => {
    const made = await file('csv', 'a,b\n1,x\n');
    const { status, body } = await ask<ErrorBody>(made, query);
    expect(status).toBe(422);
    expect(Object.keys(body.fields)).toEqual([field]);
  });
});

describe('formats', () => {
  test('csv: types, nulls, unicode, quotes', async () => {
    const table = await page(
      await file(
        'csv',
        'id,name,when,at,ok,x\n1,"Zoë, 東京 🌊",2026-11-15,2026-11-15 12:30:00,true,1.5\n2,,,,false,\n3,"say ""hi""",2026-01-02,2026-01-02 00:00:00,,-2\n',
      ),
    );
    expect(kinds(table)).toEqual(['id: number', 'name: text', 'when: time', 'at: time', 'ok: boolean', 'x: number']);
    expect(table.rows).toEqual([
      [1, 'Zoë, 東京 🌊', '2026-11-15', '2026-11-15T12:30:00', true, 1.5],
      [2, null, null, null, false, null],
      [3, 'say "hi"', '2026-01-02', '2026-01-02T00:00:00', null, -2],
    ]);
    expect(table).toMatchObject({ total: 3, total_rows: 3, is_complete: true, sheets: null, page: 1, page_size: 100 });
  });

  test.each([
    ['semicolons', 'csv', 'a;b\n1;x\n2;y\n'],
    ['bars', 'csv', 'a|b\n1|x\n2|y\n'],
    ['carets', 'csv', 'a^b\n1^x\n2^y\n'],
    ['tabs in a csv', 'csv', 'a\tb\n1\tx\n2\ty\n'],
    ['tabs', 'tsv', 'a\tb\n1\tx\n2\ty\n'],
    ['Windows line ends', 'csv', 'a,b\r\n1,x\r\n2,y\r\n'],
    ['a byte order mark', 'csv', '\ufeffa,b\n1,x\n2,y\n'],
    ['UTF-16', 'csv', Buffer.from('\ufeffa,b\n1,x\n2,y\n', 'utf16le')],
    ['gzip', 'csv.gz', gzipSync('a;b\n1;x\n2;y\n')],
    ['gzip with a plain name', 'csv', gzipSync('a,b\n1,x\n2,y\n')],
    ['Zstandard', 'TSV.zst', zstdCompressSync('a\tb\n1\tx\n2\ty\n')],
    ['compressed objects', 'jsonl.gz', gzipSync('{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n')],
    ['a list of objects', 'json', '[{"a":1,"b":"x"},{"a":2,"b":"y"}]'],
    ['an object per line', 'jsonl', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ['an object per line in .json', 'json', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
  ])('%s', async (_name, extension, content) => {
    const table = await page(await file(extension, content));
    expect(kinds(table)).toEqual(['a: number', 'b: text']);
    expect(table.rows).toEqual([
      [1, 'x'],
      [2, 'y'],
    ]);
  });

  test('a csv without header, with doubled names, with only a header, and an empty one', async () => {
    expect(kinds(await page(await file('csv', '1,2\n3,4\n')))).toEqual(['column0: number', 'column1: number']);
    const doubled = await page(await file('csv', 'a,A,a\n1,2,3\n'));
    expect(new Set(doubled.columns.map(({ name }) => name.toLowerCase())).size).toBe(3);
    expect(doubled.rows).toEqual([[1, 2, 3]]);
    expect(await page(await file('csv', 'a,b\n'))).toMatchObject({ rows: [], total: 0 });
    expect(await page(await file('csv', ''))).toMatchObject({ rows: [], total: 0 });
    expect(await page(await file('json', '[]'))).toMatchObject({ rows: [], total: 0 });
  });

  test('letters of the last century', async () => {
    const table = await page(await file('csv', Buffer.from('name,n\nM\xfcller,1\n', 'latin1')));
    expect(table.rows).toEqual([['Müller', 1]]);
  });

  test('numbers keep every digit and texts their zeros', async () => {
    const long = '12345678901234567890123';
    const made = await file('csv', `order,post,amount,whole\n${long},00420,1.25,9007199254740993\n7,01000,2,1\n`);
    const table = await page(made);
    expect(table.rows).toEqual([
      [long, '00420', 1.25, '9007199254740993'],
      [7, '01000', 2, 1],
    ]);
    expect((await page(made, filter('whole', 'equals', '9007199254740992'))).total).toBe(0);
    expect((await page(made, filter('whole', 'equals', '9007199254740993'))).total).toBe(1);
    expect((await page(made, filter('order', 'equals', long))).total).toBe(1);
  });

  test('a value that fits no earlier type is found late and kept', async () => {
    const table = await page(await file('csv', `n\n${'1\n'.repeat(60_000)}late\n`), { page: '601' });
    expect(table.columns[0]?.kind).toBe('text');
    expect(table.rows).toEqual([['late']]);
  });

  test('nested json is JSON text', async () => {
    const table = await page(await file('json', '[{"a":{"b":[1,2]},"c":[]},{"a":null,"c":["x"]}]'));
    expect(kinds(table)).toEqual(['a: other', 'c: other']);
    expect(table.rows).toEqual([
      ['{"b":[1,2]}', '[]'],
      [null, '["x"]'],
    ]);
  });

  test('parquet: every type', async () => {
    const content = await parquet(`select
      9223372036854775807::bigint as big, 42::bigint as small, 170141183460469231731687303715884105727::hugeint::varchar as huge,
      123456789012345678.25::decimal(38, 2) as exact, 1.50::decimal(9, 2) as price, 'nan'::double as nan, 'infinity'::double as endless,
      timestamptz '2026-11-15 12:00:00+02' as zoned, time '08:30:00' as daily, timestamp '2026-11-15 12:00:00.123456' as fine,
      '\\xAB'::blob as bytes, {'x': 1} as thing, [1, 2] as list, map {'k': 1} as pairs, null::integer as nothing,
      '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'::uuid as uid, true as yes`);
    const table = await page(await file('parquet', content));
    expect(Object.fromEntries(table.columns.map(({ name }, index) => [name, table.rows[0]?.[index]]))).toEqual({
      big: '9223372036854775807',
      small: 42,
      huge: '170141183460469231731687303715884105727',
      exact: '123456789012345678.25',
      price: 1.5,
      nan: 'NaN',
      endless: 'Infinity',
      zoned: '2026-11-15T10:00:00Z',
      daily: '08:30:00',
      fine: '2026-11-15T12:00:00.123456',
      bytes: '\\xAB',
      thing: '{"x":1}',
      list: '[1,2]',
      pairs: '{"k":1}',
      nothing: null,
      uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
      yes: true,
    });
    expect(table.columns.find(({ name }) => name === 'exact')).toMatchObject({ type: 'DECIMAL(38,2)', kind: 'number' });
  });

  test('xlsx: every sheet, with types, dates and gaps', async () => {
    const made = await file(
      'xlsx',
      await workbook({
        Sales: [
          ['City', 'Sold', 'Price', 'Open', 'Since', 'Note'],
          ['Tromsø', 3, 1.5, true, new Date('2026-11-15'), null],
          ['大阪', 4, 2, false, new Date('2020-02-29'), '"quoted", and\nbroken'],
          ['', null, null, null, null, null],
          ['Ghent', null, 0.25, null, null, ''],
        ],
        "It's; drop table x --": [
          [1, 'x'],
          [2, 'y'],
        ],
        Empty: [],
      }),
    );
    const first = await page(made);
    expect(first.sheets).toEqual(['Sales', "It's; drop table x --", 'Empty']);
    expect(first.sheet).toBe('Sales');
    expect(first.columns.map(({ type }) => type)).toEqual([
      'VARCHAR',
      'BIGINT',
      'DOUBLE',
      'BOOLEAN',
      'DATE',
      'VARCHAR',
    ]);
    expect(first.rows.slice(0, 2)).toEqual([
      ['Tromsø', 3, 1.5, true, '2026-11-15', null],
      ['大阪', 4, 2, false, '2020-02-29', '"quoted", and\nbroken'],
    ]);
    const second = await page(made, { sheet: "It's; drop table x --" });
    expect(kinds(second)).toEqual(['A: number', 'B: text']);
    expect(second.rows).toEqual([
      [1, 'x'],
      [2, 'y'],
    ]);
    expect((await page(made, { sheet: 'Empty' })).rows).toEqual([]);
    expect((await ask(made, { sheet: 'Nothing' })).status).toBe(422);
  });
});

describe('pages', () => {
  const rows = Array.from({ length: 250 }, (_, index) => `${index},${index % 3},name ${index % 7}`).join('\n');
  let made: ProjectFile;
  beforeAll(async () => {
    made = await file('csv', `id,third,name\n${rows}\n,,\n`);
  });
  const ids = (table: TablePage) => table.rows.map(([id]) => id);

  test('follow each other, and end', async () => {
    const [first, third, beyond] = [
      await page(made),
      await page(made, { page: '3' }),
      await page(made, { page: '99' }),
    ];
    expect(ids(first)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(ids(third)).toEqual([...Array.from({ length: 50 }, (_, index) => 200 + index), null]);
    expect(beyond).toMatchObject({ rows: [], total: 251 });
    expect(ids(await page(made, { 'page-size': '2', page: '2' }))).toEqual([2, 3]);
  });

  test('are sorted either way, nulls last, with one order among equals', async () => {
    expect(ids(await page(made, { sort_by: 'id', sort_direction: 'desc', page_size: '2' }))).toEqual([249, 248]);
    const seen: unknown[] = [];
    for (const number of ['1', '2', '3', '4', '5', '6']) {
      seen.push(...ids(await page(made, { sort_by: 'third', page: number, page_size: '50' })));
    }
    expect(new Set(seen).size).toBe(251);
    expect(seen.at(-1)).toBeNull();
    expect(seen.slice(0, 3)).toEqual([0, 3, 6]);
  });

  test.each<[string, Query, number]>([
    ['equals', filter('id', 'equals', '7'), 1],
    ['equals, as text', filter('name', 'equals', 'name 3'), 36],
    ['not_equals counts the empty', filter('third', 'not_equals', '0'), 167],
    ['contains, in any case', filter('name', 'contains', 'NAME 1'), 36],
    ['contains a percent sign', filter('name', 'contains', '%'), 0],
    ['greater', filter('id', 'greater', '240'), 9],
    ['greater than a fraction', filter('id', 'greater', '247.5'), 2],
    ['less', filter('id', 'less', '10'), 10],
    ['between', filter('id', 'between', '10', '19'), 10],
    ['one_of', filter('name', 'one_of', 'name 0', 'name 1'), 72],
    ['is_empty', filter('name', 'is_empty'), 1],
    ['is_not_empty', filter('name', 'is_not_empty'), 250],
    ['search', { search: 'NAME 6' }, 35],
    ['search in numbers', { search: '249' }, 1],
  ])('filter: %s', async (_name, query, total) => {
    const table = await page(made, query);
    expect(table.total).toBe(total);
    expect(table.total_rows).toBe(251);
    expect(table.rows).toHaveLength(Math.min(100, total));
  });

  test('several filters, a search and a sort together', async () => {
    const query = {
      ...filter('third', 'equals', '1'),
      'filters[1][column]': 'id',
      'filters[1][operator]': 'less',
      'filters[1][value]': '100',
      search: 'name 2',
      sort_by: 'id',
      sort_direction: 'desc',
    };
    expect(ids(await page(made, query))).toEqual([79, 58, 37, 16]);
  });

  test('times are compared as times', async () => {
    const days = await file('csv', 'day\n2026-01-01\n2026-06-01\n2026-12-01\n');
    expect((await page(days, filter('day', 'greater', '2026-05-31'))).total).toBe(2);
    expect((await page(days, filter('day', 'between', '2026-05-01', '2026-07-01T00:00:00'))).total).toBe(1);
    expect((await ask(days, filter('day', 'less', 'tomorrow'))).status).toBe(422);
  });
});

describe('statistics', () => {
  test('numbers: moments, quantiles, histogram', async () => {
    const values = Array.from({ length: 1_001 }, (_, index) => index / 10).join('\n');
    const found = await statistics(await file('csv', `x,y\n${values.replaceAll('\n', ',a\n')},a\n,\n`), {
      column: 'x',
    });
    expect(found).toMatchObject({ kind: 'number', count: 1_002, nulls: 1, min: 0, max: 100, top: [] });
    expect(found.mean).toBeCloseTo(50, 5);
    expect(found.quantiles.find(({ share }) => share === 0.5)?.value).toBeCloseTo(50, 0);
    expect(found.histogram).toHaveLength(24);
    expect(found.histogram.reduce((sum, bar) => sum + bar.count, 0)).toBe(1_001);
    expect(found.distinct).toBe(1_001);
  });

  test('few whole numbers have a bar each; one value has one', async () => {
    const made = await file('csv', 'n,one\n1,5\n2,5\n2,5\n4,5\n');
    expect((await statistics(made, { column: 'n' })).histogram.map(({ count }) => count)).toEqual([1, 2, 0, 1]);
    expect((await statistics(made, { column: 'one' })).histogram).toEqual([{ from: 5, to: 6, count: 4 }]);
  });

  test('texts and booleans: the most frequent', async () => {
    const made = await file('csv', 'city,ok\nOslo,true\nRome,true\nOslo,false\n,true\n');
    const found = await statistics(made, { column: 'city' });
    expect(found).toMatchObject({ nulls: 1, distinct: 2, min: 'Oslo', max: 'Rome', mean: null, histogram: [] });
    expect(found.top).toEqual([
      { value: 'Oslo', count: 2 },
      { value: 'Rome', count: 1 },
    ]);
    expect((await statistics(made, { column: 'ok' })).top[0]).toEqual({ value: true, count: 3 });
    const filtered = await statistics(made, { column: 'city', ...filter('ok', 'equals', 'false') });
    expect(filtered.top).toEqual([{ value: 'Oslo', count: 1 }]);
  });

  test('times: a histogram of dates', async () => {
    const found = await statistics(await file('csv', 'day\n2026-01-01\n2026-01-02\n2026-01-25\n'), { column: 'day' });
    expect(found).toMatchObject({ min: '2026-01-01', max: '2026-01-25' });
    expect(found.histogram[0]).toMatchObject({ from: '2026-01-01', count: 1 });
  });

  test('nothing at all, the infinite and the nested', async () => {
    const made = await file(
      'parquet',
      await parquet(`select null::double as void, 'infinity'::double as endless, [1] as list`),
    );
    expect(await statistics(made, { column: 'void' })).toMatchObject({
      nulls: 1,
      min: null,
      mean: null,
      histogram: [],
    });
    expect(await statistics(made, { column: 'endless' })).toMatchObject({ max: 'Infinity', histogram: [] });
    expect((await statistics(made, { column: 'list' })).top).toEqual([{ value: '[1]', count: 1 }]);
  });

  test('a column that is not there', async () => {
    const made = await file('csv', 'a\n1\n');
    const path = `${base}/files/${made.id}/data/statistics`;
    const { status, body } = await app.call<ErrorBody>('GET', path, { token, query: { column: 'b' } });
    expect([status, Object.keys(body.fields)]).toEqual([422, ['column']]);
  });
});

test('a table is read in once, and kept under what it is made of', async () => {
  const content = 'only,once\n1,2\n';
  const [one, two] = [await file('csv', content), await file('csv', content)];
  const before = await readdir(join(app.config.dataFolder, 'cache', 'tables'));
  await Promise.all([page(one), page(two), page(one)]);
  const after = await readdir(join(app.config.dataFolder, 'cache', 'tables'));
  const entries = (names: string[]) => names.filter((name) => /^[0-9a-f]{64}-csv$/.test(name)).length;
  expect(entries(after) - entries(before)).toBe(1);
});
