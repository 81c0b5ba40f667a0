import { expect, test } from 'vitest';
import { emptyQuery, pageOf, readFrame } from './frame.ts';

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

test('anything may be in a file', () => {
  for (const value of [null, 3, {}, { columns: 1, rows: [] }, []]) expect(readFrame(value)).toBeNull();
  expect(frame?.rows[2]).toEqual(['{"odd":true}']);
  expect(readFrame({ columns: [null, {}], rows: [null, [1]] })).toMatchObject({ rows: [[1]], all: 1 });
});
