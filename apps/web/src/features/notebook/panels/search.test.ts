import { expect, test } from 'vitest';
import { headingsOf } from '../model.ts';
import { findAll, replaceAll, replaceOne, searchPattern } from './search.ts';

const sources: Record<string, string> = { a: 'import pandas\nx = pandas.nan', b: 'Pandas', c: 'nothing' };
const store = { getOrder: () => ['a', 'b', 'c'], sourceOf: (id: string) => sources[id] ?? '' };
const plain = { text: 'pandas', isCaseSensitive: false, isWord: false, isPattern: false };

test('every place is found, with its line', () => {
  expect(findAll(store, plain).map(({ id, from, lineNumber }) => [id, from, lineNumber])).toEqual([
    ['a', 7, 1],
    ['a', 18, 2],
    ['b', 0, 1],
  ]);
  expect(findAll(store, { ...plain, isCaseSensitive: true })).toHaveLength(2);
  expect(findAll(store, { ...plain, text: 'pan', isWord: true })).toHaveLength(0);
  expect(searchPattern({ ...plain, text: '(', isPattern: true })).toBeNull();
  expect(findAll(store, { ...plain, text: '(' })).toEqual([]);
});

test('replacing is one operation for each cell', () => {
  expect(replaceAll(store, plain, '$&')).toEqual([
    { op: 'update_cell_source', cell_id: 'a', source: 'import $&\nx = $&.nan' },
    { op: 'update_cell_source', cell_id: 'b', source: '$&' },
  ]);
  const pattern = { ...plain, text: '(p)andas', isPattern: true };
  expect(replaceAll(store, pattern, '$1d')[1]).toMatchObject({ source: 'Pd' });
});

test('one place is replaced where it stands, and the next one is behind it', () => {
  const plainly = { ...plain, text: 'foo' };
  expect(replaceOne('foo foo', { from: 0, to: 3 }, plainly, 'foobar')).toEqual({ source: 'foobar foo', end: 6 });
  const around = { ...plain, text: '(?<=x)(y)$', isPattern: true };
  expect(replaceOne('y xy', { from: 3, to: 4 }, around, '[$1]')).toEqual({ source: 'y x[y]', end: 6 });
  expect(findAll(store, { ...plain, text: 'pandas\\-?', isPattern: true })).toHaveLength(3);
});

test('headings of a text, but not of the code in it', () => {
  const source = '# One\n```\n# code\n```\n## **Two** [link](x) ##\ntext';
  expect(headingsOf({ id: 'a', type: 'markdown', source }).map(({ level, text }) => [level, text])).toEqual([
    [1, 'One'],
    [2, 'Two link'],
  ]);
  expect(headingsOf({ id: 'a', type: 'code', source })).toEqual([]);
});
