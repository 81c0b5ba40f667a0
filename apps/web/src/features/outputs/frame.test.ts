import { expect, test } from 'vitest';
import { columnsInWords, emptyQuery, pageOf, readFrame, shownValue } from './frame.ts';

const frame = readFrame({
  frame_id: 'f',
  columns: [{ name: 'a', type: 'int64' }],
  rows: [[1], [2], [{ odd: true }]],
  total: 40,
  all: 40,
});

test('what came with the output needs no kernel', () => {
  if (!frame) throw new Error('no frame');
  expect(pageOf(frame, { ...emptyQuery, limit: 2 })?.rows).toEqual([[1], [2]]);
  expect(pageOf(frame, { ...emptyQuery, limit: 10 })).toBeNull();
  expect(pageOf(frame, { ...emptyQuery, limit: 2, search: 'x' })).toBeNull();
  expect(pageOf({ ...frame, all: 3 }, { ...emptyQuery, limit: 10 })?.total).toBe(3);
});

test('of very many columns it is said how many there are', () => {
  if (!frame) throw new Error('no frame');
  expect(columnsInWords(frame)).toBe('1 column');
  expect(columnsInWords({ ...frame, columns_total: 1_300 })).toBe('the first 1 of 1,300 columns');
});

test('anything may be in a file', () => {
  for (const value of [null, 3, {}, { columns: 1, rows: [] }, []]) expect(readFrame(value)).toBeNull();
  expect(frame?.rows[2]).toEqual(['{"odd":true}']);
  expect(readFrame({ columns: [null, {}], rows: [null, [1]] })).toMatchObject({ rows: [[1]], all: 1 });
});

test.each([
  [1.5523076923076924, '1.55231'],
  [0.1 + 0.2, '0.3'],
  [1234567.891234, '1,234,567.891'],
  [-0.000012345678, '-0.0000123457'],
  [42, '42'],
  [12345678901234, '12,345,678,901,234'],
  [2026, '2026'],
  ['1.5523076923076924', '1.5523076923076924'],
  [null, 'null'],
  [true, 'true'],
])('%j reads as %s', (value, words) => expect(shownValue(value)).toBe(words));
