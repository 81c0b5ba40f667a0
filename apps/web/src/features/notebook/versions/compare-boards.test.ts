import { expect, test } from 'vitest';
import { nothingShown } from '../model.ts';
import { compareBoards } from './compare-boards.ts';

const cell = (id: string, place?: object) => ({
  id,
  rank: '',
  type: 'code' as const,
  source: '1',
  metadata: place ? { atoll: { place } } : {},
  attachments: null,
  revision: 1,
  ...nothingShown,
});
const note = (id: string, fields: object | null) => ({
  id,
  fields: fields && { kind: 'sticky', ...fields },
  revision: 1,
});

test('finds things that were added, removed and moved on a canvas, also without changed cells', () => {
  const left = { cells: [cell('a', { x: 0, y: 0 }), cell('b')], items: [note('n', { text: 'high tide', x: 1, y: 1 })] };
  const right = {
    cells: [cell('a', { x: 40, y: 0 }), cell('b')],
    items: [note('n', null), note('m', { x: 5, y: 5 })],
  };
  expect(Object.fromEntries(compareBoards(left, right).canvas)).toEqual({ a: 'changed', n: 'removed', m: 'added' });
  expect(compareBoards(left, left).canvas.size).toBe(0);
});

test('compares the dashboard separately from the canvas', () => {
  const grid = { x: 0, y: 0, w: 6, h: 4 };
  const left = { cells: [cell('a', { x: 0, y: 0, grid })], items: [] };
  const right = { cells: [cell('a', { x: 0, y: 0, grid: { ...grid, w: 12 } })], items: [] };
  const { canvas, dashboard } = compareBoards(left, right);
  expect([canvas.size, Object.fromEntries(dashboard)]).toEqual([0, { a: 'changed' }]);
});
