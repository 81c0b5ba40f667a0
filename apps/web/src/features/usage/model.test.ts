import { expect, test } from 'vitest';
import { barsOf, parseUsageSearch } from './model.ts';

test('an address keeps the range, the kind and the page', () => {
  expect(parseUsageSearch({ days: 90, type: 'execution', page: 3 })).toEqual({ days: 90, type: 'execution', page: 3 });
  expect(parseUsageSearch({ days: 30, type: 'server', page: 1 })).toEqual({});
  expect(parseUsageSearch({ days: 5, type: 'x', page: -1 })).toEqual({});
  expect(parseUsageSearch({ page: 1.5 })).toEqual({});
});

test('bars are drawn to the largest, and a little can be seen', () => {
  expect(barsOf([0, 50, 100, 0.01], 80)).toEqual([0, 40, 80, 2]);
  expect(barsOf([0, 0], 80)).toEqual([0, 0]);
  expect(barsOf([], 80)).toEqual([]);
});
